import * as z from 'zod';
import type { Variant } from '../routes/stored-routes.ts';
import { linkVariants } from '../routes/variants.ts';
import { unlessEmpty } from '../routes/list.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { jsonSchemas } from './json.ts';

const meta = {
  description:
    '2 to 8 variants, which divide the visitors that no rule has decided on by weight: the same visitor always gets the same one. A variant without a name gets one',
  brief: '2 to 8 destinations, which divide the visitors by weight',
  example: [
    { name: 'A', url: 'https://example.com/old-page', weight: 50 },
    { name: 'B', url: 'https://example.com/new-page', weight: 50 },
  ],
};

/** The destinations among which visitors are divided. */
export const variantsField = field({
  label: 'Variants',
  ...VISITOR_FIELDS.variants,
  description: 'The destinations among which visitors are divided; null if the link has none',
  isPublished: false,
  isSearched: false,
  destinationsIn: (text) =>
    (JSON.parse(text) as Variant[]).map(({ url }, index) => ({ path: [String(index), 'url'], href: url })),
  schemas: () => jsonSchemas(z.lazy(linkVariants).transform(unlessEmpty).meta(meta)),
});
