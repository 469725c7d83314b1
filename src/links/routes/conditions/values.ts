import { lazy } from '../../../isolate/lazy.ts';

/** True if two sets have a value in common, by asking for each value of the smaller one. */
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
