import * as z from 'zod';
import { field } from './field.ts';
import { REDIRECT_STATUSES, VISITOR_FIELDS } from './visitor-fields.ts';

export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

const error = 'must be 301, 302, 307 or 308';

/** The status with which visitors are redirected. Browsers never keep the redirect, whatever it is. */
export const redirectStatusField = field({
  label: 'Redirect status',
  ...VISITOR_FIELDS.redirect_status,
  description: 'The status of the redirect; null for 302',
  isPublished: false,
  isSearched: false,
  schemas: () => {
    const status = z
      .literal(REDIRECT_STATUSES, { error })
      .meta({ description: 'The status of the redirect', example: 301 });
    const text = z
      .string()
      .regex(/^\d{3}$/, error)
      .transform(Number)
      .pipe(status)
      .meta({ description: 'The status of the redirect', example: '301' });
    return { create: text, createJson: status, edit: status, row: z.union([status, text], { error }) };
  },
  input: {
    kind: 'choice',
    section: 'redirect',
    choiceIfAbsent: '302',
  },
});
