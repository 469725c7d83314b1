import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { flagSchemas } from './flag.ts';

/** True if anyone can see where the link leads, at its address with a `+` at the end. */
export const inspectableField = field({
  label: 'Visible destination',
  ...VISITOR_FIELDS.inspectable,
  description: 'Whether the page at the short URL with a final `+` shows where the link leads; null for yes',
  isPublished: false,
  isSearched: false,
  schemas: () =>
    flagSchemas({
      description: 'Whether the short URL with a final `+` shows where the link leads; true if left out',
      brief: 'Whether a final `+` shows where it leads',
      example: false,
    }),
  input: {
    kind: 'choice',
    section: 'redirect',
    choiceIfAbsent: 'true',
  },
});
