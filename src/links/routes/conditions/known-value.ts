import * as z from 'zod';
import { listOf } from '../list.ts';

/** The schemas of the values of conditions. */

// As many as there are countries.
const MAX_VALUES = 250;

/** The schema of the values of a condition; a value that is given twice counts once. */
export const valuesOf = <Value extends z.ZodType<string>>(value: Value, description: string) =>
  listOf(value, { most: MAX_VALUES, things: 'values' })
    .overwrite((values) => [...new Set(values)])
    .meta({ description });

// As long as a host name may be before it is in punycode.
const MAX_TYPED = 1000;

/**
 * The schema of a value that has one spelling.
 *
 * @param what what a value must be, with an example, as the end of a sentence
 * @param find gives the spelling that is stored, or null if there is no such value
 */
export function knownValue(what: string, find: (text: string) => string | null) {
  // A value is checked and then written again, and to find one costs some ten microseconds.
  let last: readonly [text: string, found: string | null] = ['', null];
  const found = (text: string) => {
    if (text !== last[0]) last = [text, find(text)];
    return last[1];
  };
  return z
    .string()
    .refine((text) => text.length <= MAX_TYPED && found(text) !== null, { error: `must be ${what}`, abort: true })
    .overwrite((text) => found(text) ?? text)
    .meta({ maxLength: MAX_TYPED, brief: what });
}

/** Finds a name without case. */
export function findIn(names: Iterable<string>): (text: string) => string | null {
  const bySmall = new Map(Array.from(names, (name) => [name.toLowerCase(), name]));
  return (text) => bySmall.get(text.toLowerCase()) ?? null;
}
