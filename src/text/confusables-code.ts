/** The notation of the table of confusables: in ASCII, since a script with other characters takes twice the memory. */

type Entry = readonly [from: string, to: string];

const RADIX = 36;

/** Writes what looks like what: for each target its code points, and the distances between those that look like it. */
export function encodeConfusables(entries: readonly Entry[]): string {
  const byTarget = Map.groupBy(entries, ([, to]) => to);
  return [...byTarget]
    .map(([to, like]) => {
      const sorted = like.map(([from]) => from.codePointAt(0)!).toSorted((a, b) => a - b);
      const distances = sorted.map((code, index) => code - (sorted[index - 1] ?? 0));
      const target = Array.from(to, (character) => character.codePointAt(0)!);
      return `${target.map(digits).join('.')} ${distances.map(digits).join('.')}`;
    })
    .join(',');
}

const digits = (number: number) => number.toString(RADIX);

/** Reads what `encodeConfusables` has written, as a map from each character to what it looks like. */
export function decodeConfusables(code: string): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const group of code.split(',')) {
    const [target = [], distances = []] = group.split(' ').map(numbersOf);
    const to = String.fromCodePoint(...target);
    let from = 0;
    for (const distance of distances) table.set(String.fromCodePoint((from += distance)), to);
  }
  return table;
}

const numbersOf = (text: string) => text.split('.').map((each) => Number.parseInt(each, RADIX));
