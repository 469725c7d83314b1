import { field } from './field.ts';
import { VISITOR_FIELDS } from './visitor-fields.ts';
import { flagSchemas, NO_UNLESS_SET } from './flag.ts';

/** The field that shows visitors where they are going, and waits for their consent. */
export const askFirstField = field({
  label: 'Ask first',
  ...VISITOR_FIELDS.ask_first,
  description: 'Whether visitors get a page with the host of the destination and a button first; null for no',
  isPublished: false,
  isSearched: false,
  schemas: () =>
    flagSchemas({
      description:
        'Whether visitors get a page with the host of the destination and a button before they are redirected. Only the button ' +
        'counts as a click, and takes one of `max_clicks`, so that programs which open links of mails take none.',
      brief: 'Shows the host of the destination and a button first; only that is a click',
      example: true,
    }),
  input: {
    ...NO_UNLESS_SET,
    section: 'password',
  },
});
