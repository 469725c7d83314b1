import { addCounts, toClicks, type ValueClicks, type Counts, type Summed, type Sums } from '../days/sums.ts';
import { OTHER_WORD } from '../facts.ts';
import { readSubjects } from '../subjects.ts';
import { readWords } from '../words.ts';

/** Names the values by which some days were summed. */
export function namesOf(
  sql: SqlStorage,
  by: Summed,
  days: readonly { readonly sums: ReadonlyMap<Summed, Sums> }[],
): (value: number) => string {
  if (by === 'hour') return String;
  const values = [...new Set(days.flatMap(({ sums }) => [...sums.get(by)!.keys()]))];
  if (by !== 'link') {
    const words = readWords(sql, by, values);
    return (value) => words.get(value) ?? '';
  }
  const links = readSubjects(sql, values);
  return (value) => links.get(value) ?? OTHER_WORD;
}

/** Sums with their names. Links that were purged have the same name as those for which there was no place. */
export function named(sums: Sums, nameOf: (value: number) => string): ValueClicks[] {
  const byName = new Map<string, Counts>();
  for (const [value, counts] of sums) {
    const name = nameOf(value);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [...counts]);
    else addCounts(known, counts);
  }
  return [...byName].map(([value, counts]) => ({ value, ...toClicks(counts) }));
}
