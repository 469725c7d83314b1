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

/** How many parts of the cases belong to a file: where these are a third, a run has every file. */
const PARTS_OF_A_FILE = 3;

/** The share of the slow files that a run does, and of what is checked on every page. */
export function shareOfFiles({ part, of }: Share): Share {
  const files = Math.ceil(of / PARTS_OF_A_FILE);
  return { part: ((part - 1) % files) + 1, of: files };
}
