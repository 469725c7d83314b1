import * as z from 'zod';
import { lazy } from '../isolate/lazy.ts';
import { fault } from './validation.ts';

/** The schemas of texts and instants, apart from what parses them: not all that parse fields need a schema at once. */

/** A text of at most so many characters, counted as code points like in JSON Schema. */
export function textUpTo(max: number): z.ZodString {
  return (
    z
      .string()
      // A character has at most two code units.
      .refine((text) => text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max), {
        error: `must be at most ${max} characters long`,
        ...fault('too_long'),
        abort: true,
      })
      .meta({ maxLength: max })
  );
}

// The years that ISO 8601 writes with four digits, in UTC.
const [FIRST, LAST] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** An instant as ISO 8601 with its offset; read as milliseconds since the epoch. */
export const instant = lazy(() => instantOr('must be an ISO 8601 instant such as 2027-01-01T00:00:00Z'));

/** `instant` in a row of a file, whose other dates are read before. */
export const instantOfRow = lazy(() =>
  instantOr(
    'must be a date such as 2027-01-31, an ISO 8601 instant such as 2027-01-01T00:00:00Z, or a date in the order of day, month and year that dates names',
  ),
);

const instantOr = (error: string) =>
  z.iso
    .datetime({ offset: true, error, abort: true })
    .transform((text) => Date.parse(text))
    .refine((at) => at >= FIRST && at <= LAST, { error: 'must be from the year 0000 to 9999 in UTC', abort: true });

/** The error for an instant that has passed. */
export const IN_THE_PAST = 'must not be in the past';

/** An instant that is still to come. */
export const futureInstant = lazy(() => instant().refine((at) => at > Date.now(), { error: IN_THE_PAST }));
