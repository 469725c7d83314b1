/** The share of the exhaustive tests that a run does: one of a few parts. */
export interface Share {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** The cases of a share: each of so many, begun at its part; of fewer cases than there are parts, one. */
export function partOf<Case>(cases: readonly Case[], { part, of }: Share): Case[] {
  const least = Math.min(of, cases.length);
  return cases.filter((_, index) => index % of === (part - 1) % least);
}
