import type { Change, Entry } from '../changelog/entries.ts';

/** A change that several operations share. */
export interface SharedChange extends Change {
  readonly operations: readonly Pick<Entry, 'method' | 'path'>[];
}

// More operations than a reader would compare one by one.
const MIN_OPERATIONS = 4;

/**
 * Moves the changes that four or more operations share out of their entries, for readers; those of the most operations
 * come first. An entry without other changes is removed.
 */
export function foldShared(entries: readonly Entry[]): {
  readonly shared: readonly SharedChange[];
  readonly entries: readonly Entry[];
} {
  const groups = new Map<string, SharedChange & { operations: Entry[] }>();
  for (const entry of entries) {
    for (const change of entry.changes) {
      const group = groups.get(keyOf(change)) ?? { ...change, operations: [] };
      groups.set(keyOf(change), group);
      if (group.operations.at(-1) !== entry) group.operations.push(entry);
    }
  }
  const shared = [...groups.values()]
    .filter(({ operations }) => operations.length >= MIN_OPERATIONS)
    .toSorted((a, b) => b.operations.length - a.operations.length);
  const folded = new Set(shared.map(keyOf));
  return { shared, entries: entries.flatMap((entry) => without(entry, folded)) };
}

const keyOf = ({ what, breaking, reason }: Change) => JSON.stringify([what, breaking, reason]);

function without(entry: Entry, folded: ReadonlySet<string>): readonly Entry[] {
  const changes = entry.changes.filter((change) => !folded.has(keyOf(change)));
  if (entry.kind !== 'changed' || changes.length === entry.changes.length) return [{ ...entry, changes }];
  if (changes.length === 0 && entry.note === undefined) return [];
  return [{ ...entry, changes, breaking: changes.some(({ breaking }) => breaking) }];
}
