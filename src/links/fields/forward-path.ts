import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { flagSchemas, NO_UNLESS_SET } from './flag.ts';

/** The field that passes on what follows the slug in the path of a visit. */
export const forwardPathField = field({
  label: 'Forward the path',
  ...VISITOR_FIELDS.forward_path,
  description: 'Whether the rest of the path of a visit is appended to the destination; null for no',
  isPublished: false,
  isSearched: false,
  schemas: () =>
    flagSchemas({
      description:
        'Whether the rest of the path of a visit is appended to the destination; for links on a custom domain, below whose ' +
        'slug there is no other link',
      brief: 'Appends the rest of the path to the destination, on a custom domain',
      example: true,
    }),
  input: {
    ...NO_UNLESS_SET,
    section: 'redirect',
  },
});
