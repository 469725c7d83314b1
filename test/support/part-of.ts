/** One of some parts. */
export interface Part {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** The share of the tests that a run does: the part of the exhaustive cases, and that of the slow files. */
export interface Share extends Part {
  readonly files: Part;
}

/** The cases of a part: each of so many, begun at its number; of fewer cases than there are parts, one. */
export function partOf<Case>(cases: readonly Case[], { part, of }: Part): Case[] {
  const least = Math.min(of, cases.length);
  return cases.filter((_, index) => index % of === (part - 1) % least);
}

/** How many parts of the slow files, and of the pages, there are: all are in one where a run has a third of the cases. */
export const partsOfFiles = (partsOfCases: number): number => Math.ceil(partsOfCases / 3);

/** The part of the pages that a run checks; of a sixth of the cases half of them, which have those cases. */
export function partOfPages({ part, of }: Part): Part {
  const parts = partsOfFiles(of);
  return { part: ((part - 1) % parts) + 1, of: parts };
}
