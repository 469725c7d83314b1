/** The share of the exhaustive tests that a run does: one of a few parts. */
export interface Share {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** The cases of a share: each of so many, begun at its part. */
export const partOf = <Case>(cases: readonly Case[], { part, of }: Share): Case[] =>
  cases.filter((_, index) => index % of === part - 1);
