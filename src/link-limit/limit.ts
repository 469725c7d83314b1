/** The number of visitors that a link redirects. */

/** A limit of a link, as the database has it. */
export interface Limit {
  /** The number of visitors who are redirected. */
  readonly max: number;
  /** When the limit was set, in milliseconds since the epoch. Visitors count from then on; another number keeps it. */
  readonly since: number;
  /** The revision of the link. It grows with each edit, and is at least the time of the edit in milliseconds. */
  readonly revision: number;
}

/** An edit that removed the limit. */
export interface RemovedLimit {
  readonly max: null;
  readonly revision: number;
}

/** The limit that an object knows of its link: the edit with the highest revision, and the count since then. */
export interface Period {
  /** Null if the limit was removed, or restored from a backup: then each caller's own is the limit. */
  readonly max: number | null;
  readonly since: number;
  readonly revision: number;
  /** The number of visitors who were redirected since `since`. */
  readonly taken: number;
}

/** The result for a visitor. */
export interface Taken {
  readonly isTaken: boolean;
  /** The number of visitors who can still be redirected. */
  readonly left: number;
}

/**
 * The limit that counts once another one is known: that of the higher revision. A number that was raised or lowered
 * continues the count; one that was set anew begins at 0. A limit that was removed keeps its count for callers that do
 * not know it yet.
 */
export function newestOf(known: Period | null, given: Limit | RemovedLimit): Period {
  if (known !== null && given.revision <= known.revision) return known;
  const { since, taken } = known ?? { since: 0, taken: 0 };
  const { max, revision } = given;
  if (given.max === null || given.since === since) return { max, since, revision, taken };
  return { max, since: given.since, revision, taken: 0 };
}

/** The number of visitors that a caller can still redirect. */
export function leftOf({ max, taken }: Period, given: Limit): number {
  return Math.max(0, (max ?? given.max) - taken);
}
