import * as z from 'zod';
import { lazy } from '../../../isolate/lazy.ts';
import { listOf } from '../list.ts';

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

/** Whether two sets have a value in common, by asking for each value of the smaller one. */
export function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  for (const value of smaller) if (larger.has(value)) return true;
  return false;
}

const alternatives = lazy(() => new Intl.ListFormat('en-GB', { type: 'disjunction' }));
// A sentence with all 250 countries would help no reader.
const MAX_NAMED = 12;

/** Alternatives in a sentence: "a, b or c". */
export function anyOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return alternatives().format(rest > 1 ? [...names.slice(0, MAX_NAMED), `${rest} others`] : names);
}
