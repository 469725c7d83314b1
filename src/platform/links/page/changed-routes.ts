import type { Rule } from '../../../links/routes/stored-routes.ts';
import type { Variant } from '../../../links/routes/stored-routes.ts';
import type { PageWords } from '../../words.tsx';
import { destinationText } from '../destination.tsx';
import { conditionsOf } from '../routes-in-words.ts';

/** Changes of rules and variants in words, for the history of a link. */

interface Named {
  readonly name: string;
}

/** The word for each property of an item. */
type Words<Item> = { readonly [Key in Exclude<keyof Item, 'name'>]: (value: Item) => string };

const ofRules = (words: PageWords): Words<Rule> => ({
  if: (rule) => conditionsOf(words, rule),
  url: ({ url }) => destinationText(url),
});
const OF_VARIANTS: Words<Variant> = { url: ({ url }) => destinationText(url), weight: ({ weight }) => String(weight) };
const LABELS: Readonly<Record<string, string>> = { if: 'conditions', url: 'destination', weight: 'weight' };

/** One sentence for each rule that was added, removed, renamed, moved or changed. */
export const changedRules = (words: PageWords, before: readonly Rule[], after: readonly Rule[]): string[] =>
  changesOf('rule', before, after, ofRules(words));

/** `changedRules` for variants, whose order does not matter. */
export const changedVariants = (before: readonly Variant[], after: readonly Variant[]): string[] =>
  changesOf('variant', before, after, OF_VARIANTS);

function changesOf<Item extends Named>(
  kind: 'rule' | 'variant',
  before: readonly Item[],
  after: readonly Item[],
  words: Words<Item>,
): string[] {
  const properties = Object.entries<(value: Item) => string>(words);
  const contentOf = (item: Item) => JSON.stringify(properties.map(([, word]) => word(item)));
  const named = (item: Item) => `${kind} \u2068${item.name}\u2069`;
  const former = new Map(before.map((item) => [item.name, item]));
  const present = new Set(after.map(({ name }) => name));
  const missing = before.filter(({ name }) => !present.has(name));
  const pairs = after.map((item) => {
    const same = former.get(item.name);
    if (same) return { item, from: same };
    // An item with another name and the same content was renamed.
    const index = missing.findIndex((other) => contentOf(other) === contentOf(item));
    return { item, from: index === -1 ? null : missing.splice(index, 1)[0]! };
  });
  const kept = pairs.flatMap(({ item, from }) => (from === null ? [] : [{ item, at: before.indexOf(from) }]));
  const inOrder = kind === 'rule' ? longestRise(kept.map(({ at }) => at)) : new Set(kept.map(({ at }) => at));
  return [
    ...missing.map((item) => `Removed the ${named(item)}.`),
    ...pairs.flatMap(({ item, from }, index) => {
      if (from === null) return [`Added the ${named(item)}: ${describe(item, words)}.`];
      const at = before.indexOf(from);
      return [
        ...(from.name === item.name ? [] : [`Renamed the ${named(from)} to \u2068${item.name}\u2069.`]),
        ...(inOrder.has(at) ? [] : [`Moved the ${named(item)} from place ${at + 1} to ${index + 1}.`]),
        ...properties.flatMap(([key, word]) =>
          word(from) === word(item)
            ? []
            : [`Changed the ${LABELS[key]} of the ${named(item)}: ${word(from)} → ${word(item)}.`],
        ),
      ];
    }),
  ];
}

function describe<Item extends Named>(item: Item, words: Words<Item>): string {
  const properties = Object.entries<(value: Item) => string>(words);
  return properties.map(([, word]) => word(item)).join(' → ');
}

/** The numbers of a longest part of a list that rises: those that were not moved. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const best: number[][] = [];
  for (const number of numbers) {
    const before = best.filter((rise) => rise.at(-1)! < number);
    const longest = before.reduce<number[]>((most, rise) => (rise.length > most.length ? rise : most), []);
    best.push([...longest, number]);
  }
  return new Set(best.reduce<number[]>((most, rise) => (rise.length > most.length ? rise : most), []));
}
