import * as z from 'zod';
import { field } from './field.ts';
import { FORWARDINGS, VISITOR_FIELDS } from './visitor-fields.ts';

/** The field that passes on the query of a visit, with the value that wins. */
export const forwardQueryField = field({
  label: 'Forward query parameters',
  ...VISITOR_FIELDS.forward_query,
  description: 'How the query of a visit is passed on to the destination; null if it is not',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const forwarding = z.enum(FORWARDINGS, { error: 'must be keep or override' }).meta({
      description:
        'Passes the query of the visit on to the destination: with `keep`, parameters that the destination has stay; ' +
        'with `override`, those of the visit replace them',
      example: 'keep',
    });
    return { create: forwarding, edit: forwarding, row: forwarding };
  },
  input: {
    kind: 'choice',
    section: 'redirect',
  },
});
