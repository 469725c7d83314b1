import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { SLUG_RULE } from '../slugs/new-slug.ts';
import { parseStoredSlug } from '../slugs/slug.ts';
import { field } from './field.ts';

// Accepts every slug that a link may have. `refuseUnfitSlug` decides whether it may be chosen, once its host is known.
const slug = lazy(() =>
  z
    .string()
    .transform(parseStoredSlug)
    .refine(Boolean, { error: SLUG_RULE })
    .meta({
      description:
        'The path of the short link: 1 to 64 letters, digits, `-` and `_` of any script; on a custom domain also dots, ' +
        'emoji and up to 4 segments with `/` between. Generated if left out.',
      brief: 'The path of the short link: letters, digits, - and _; generated if left out',
      example: 'spring-sale',
      // The pattern excludes ASCII characters only, since some regular expression dialects cannot name the letters of
      // all scripts.
      pattern: String.raw`^[^\x00-\x2c\x3a-\x40\x5b-\x5e\x60\x7b-\x9f]+$`,
    }),
);

/** The path of the short link; stored in `addresses` too. */
export const slugField = field({
  label: 'Slug',
  isClearable: false,
  description: 'The slug in `short_url`',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => ({ create: slug(), edit: slug(), row: slug() }),
});
