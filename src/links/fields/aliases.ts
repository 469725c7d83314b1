import * as z from 'zod';
import { field } from './field.ts';
import { slugField } from './slug.ts';

/** The most other slugs that a link keeps. */
export const MAX_ALIASES = 20;

/** Former slugs that lead to the link too; stored in `addresses`. */
export const aliasesField = field({
  label: 'Aliases',
  isClearable: false,
  description: 'Other slugs on the same host that lead to the link',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'never',
  schemas: () => ({
    edit: z.array(z.string()).meta({ description: 'The aliases to keep' }),
    row: z.array(slugField.schemas().row).max(MAX_ALIASES, `must be at most ${MAX_ALIASES} slugs`),
  }),
});
