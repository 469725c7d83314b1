import type { Rule } from '../../../links/routes/stored-routes.ts';
import type { Variant } from '../../../links/routes/stored-routes.ts';
import type { PageWords } from '../../words.tsx';
import { destinationText } from '../destination.tsx';
import { conditionsOf } from '../routes-in-words.ts';

/** Changes of rules and variants in words, for the history of a link. */

interface Named {
  readonly name: string;
}

/** The sentences about the changes of a kind of items. */
interface Sentences<Item> {
  /** True if their order matters. */
  readonly isOrdered: boolean;
  readonly removed: (name: string) => string;
  readonly added: (name: string, item: Item) => string;
  readonly renamed: (name: string, now: string) => string;
  readonly moved: (name: string, from: number, to: number) => string;
  /** Each property of an item as people read it, with the sentence that says how it was and is. */
  readonly properties: readonly {
    readonly read: (item: Item) => string;
    readonly changed: (change: { name: string; before: string; after: string }) => string;
  }[];
}

const ofRules = (words: PageWords): Sentences<Rule> => {
  const { text } = words;
  return {
    isOrdered: true,
    removed: (name) => text('linkPage.removedRule', { name }),
    added: (name, rule) =>
      text('linkPage.addedRule', { name, conditions: conditionsOf(words, rule), url: destinationText(rule.url) }),
    renamed: (name, now) => text('linkPage.renamedRule', { name, now }),
    moved: (name, from, to) => text('linkPage.movedRule', { name, from, to }),
    properties: [
      { read: (rule) => conditionsOf(words, rule), changed: (change) => text('linkPage.changedConditions', change) },
      { read: ({ url }) => destinationText(url), changed: (change) => text('linkPage.changedRuleUrl', change) },
    ],
  };
};

const ofVariants = ({ text, count }: PageWords): Sentences<Variant> => ({
  isOrdered: false,
  removed: (name) => text('linkPage.removedVariant', { name }),
  added: (name, { url, weight }) => text('linkPage.addedVariant', { name, url: destinationText(url), weight }),
  renamed: (name, now) => text('linkPage.renamedVariant', { name, now }),
  moved: () => '',
  properties: [
    { read: ({ url }) => destinationText(url), changed: (change) => text('linkPage.changedVariantUrl', change) },
    { read: ({ weight }) => count(weight), changed: (change) => text('linkPage.changedWeight', change) },
  ],
});

/** One sentence for each rule that was added, removed, renamed, moved or changed. */
export const changedRules = (words: PageWords, before: readonly Rule[], after: readonly Rule[]): string[] =>
  changesOf(ofRules(words), before, after);

/** `changedRules` for variants, whose order does not matter. */
export const changedVariants = (words: PageWords, before: readonly Variant[], after: readonly Variant[]): string[] =>
  changesOf(ofVariants(words), before, after);

function changesOf<Item extends Named>(
  sentences: Sentences<Item>,
  before: readonly Item[],
  after: readonly Item[],
): string[] {
  const { properties } = sentences;
  const contentOf = (item: Item) => JSON.stringify(properties.map(({ read }) => read(item)));
  const named = ({ name }: Item) => `\u2068${name}\u2069`;
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
  const places = kept.map(({ at }) => at);
  const inOrder = sentences.isOrdered ? longestRise(places) : new Set(places);
  return [
    ...missing.map((item) => sentences.removed(named(item))),
    ...pairs.flatMap(({ item, from }, index) => {
      if (from === null) return [sentences.added(named(item), item)];
      const at = before.indexOf(from);
      return [
        ...(from.name === item.name ? [] : [sentences.renamed(named(from), named(item))]),
        ...(inOrder.has(at) ? [] : [sentences.moved(named(item), at + 1, index + 1)]),
        ...properties.flatMap(({ read, changed }) =>
          read(from) === read(item) ? [] : [changed({ name: named(item), before: read(from), after: read(item) })],
        ),
      ];
    }),
  ];
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
