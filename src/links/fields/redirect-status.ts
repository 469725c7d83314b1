import * as z from 'zod';
import { field } from './field.ts';

/** The statuses of a redirect, the default first (RFC 9110, 15.4; RFC 7538 for 308). */
export const REDIRECT_STATUSES = [302, 301, 307, 308] as const;

export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

const error = 'must be 301, 302, 307 or 308';

/** The status with which visitors are redirected. Browsers never keep the redirect, whatever it is. */
export const redirectStatusField = field({
  label: 'Redirect status',
  stored: 'integer',
  isClearable: true,
  description: 'The status of the redirect; null for 302',
  isPublished: false,
  isSearched: false,
  visitorsNeed: 'if_set',
  isOfVisitors: (value) => REDIRECT_STATUSES.some((status) => status === value),
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
    choices: {
      301: '301 Moved Permanently',
      302: '302 Found',
      307: '307 Temporary Redirect',
      308: '308 Permanent Redirect',
    },
    choiceIfAbsent: '302',
    hint: 'Search engines read it. Browsers ask again each time, whatever it is, so that each visit is counted.',
  },
});
