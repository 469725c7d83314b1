import { KINDS, type Mutant } from './mutate.ts';

/**
 * Draws mutants: first the kind and then one of it, so that no kind is rare. The same seed draws the same from the same
 * sources.
 */
export function drawMutants(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const next = openRandom(seed);
  const rest = KINDS.map((kind) => all.filter((mutant) => mutant.kind === kind)).filter((kind) => kind.length > 0);
  const drawn: Mutant[] = [];
  while (drawn.length < count && rest.length > 0) {
    const kind = Math.floor(next() * rest.length);
    const ofKind = rest[kind] ?? [];
    drawn.push(...ofKind.splice(Math.floor(next() * ofKind.length), 1));
    if (ofKind.length === 0) rest.splice(kind, 1);
  }
  return drawn;
}

/** Numbers from 0 to 1 by mulberry32. */
function openRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
