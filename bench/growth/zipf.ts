/** Zipf distributions of up to some 10^9 members, whose first are exact and the others taken together by rank. */

const EXACT = 1000;
const GROUPS_PER_FACTOR = 20;

/** Members with nearly the same share of the whole. */
export interface Rank {
  readonly members: number;
  /** Of each of them. */
  readonly share: number;
}

/** The members by rank, the largest first; their shares add up to 1. */
export function ranksOf(members: number, exponent: number): Rank[] {
  const ranks: { readonly members: number; readonly weight: number }[] = [];
  for (let rank = 1; rank <= Math.min(members, EXACT); rank++) ranks.push({ members: 1, weight: rank ** -exponent });
  for (let from = EXACT; from < members;) {
    const to = Math.min(members, Math.ceil(from * 2 ** (1 / GROUPS_PER_FACTOR)));
    const weight = integral(to + 0.5, exponent) - integral(from + 0.5, exponent);
    ranks.push({ members: to - from, weight: weight / (to - from) });
    from = to;
  }
  const total = sumOver(ranks, ({ weight }) => weight);
  return ranks.map(({ members: count, weight }) => ({ members: count, share: weight / total }));
}

/** The sum of a value over all members. */
export function sumOver<R extends { readonly members: number }>(
  ranks: readonly R[],
  valueOf: (rank: R) => number,
): number {
  return ranks.reduce((sum, rank) => sum + rank.members * valueOf(rank), 0);
}

/** The number of members in a sample of so many draws, on average. */
export function membersIn(ranks: readonly Rank[], draws: number): number {
  return sumOver(ranks, ({ share }) => -Math.expm1(-share * draws));
}

function integral(at: number, exponent: number): number {
  return exponent === 1 ? Math.log(at) : at ** (1 - exponent) / (1 - exponent);
}
