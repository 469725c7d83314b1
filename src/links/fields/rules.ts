import * as z from 'zod';
import { linkRules } from '../routes/rules.ts';
import type { Rule } from '../routes/stored-routes.ts';
import { unlessEmpty } from '../routes/list.ts';
import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { jsonSchemas } from './json.ts';

const meta = {
  description:
    'Up to 20 rules, in order: a visitor is redirected to the URL of the first one whose conditions all hold. Their conditions name at most 8 different time zones. A rule without a name gets one',
  brief: 'Up to 20, in order: the first one whose conditions all hold decides',
  example: [{ name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' }],
};

/** Where visitors are redirected for whom the conditions of a rule hold. */
export const rulesField = field({
  label: 'Rules',
  ...VISITOR_FIELDS.rules,
  description: 'The rules that lead some visitors elsewhere; null if the link has none',
  isPublished: false,
  isSearched: false,
  destinationsIn: (text) =>
    (JSON.parse(text) as Rule[]).map(({ url }, index) => ({ path: [String(index), 'url'], href: url })),
  schemas: () => jsonSchemas(z.lazy(linkRules).transform(unlessEmpty).meta(meta)),
});
