import { MEASURED } from './assumptions.ts';
import type { Shipped } from './shipped.ts';
import { sumOver, type Rank } from './zipf.ts';

/** Which store answers redirects, in the busiest second. */
export interface TierFigures {
  /** Redirects that memory did not have: each reads KV. */
  readonly kvReads: number;
  /** Redirects that KV did not have either: each reads D1. */
  readonly cold: number;
  /** Links that were read from D1 twice, and go to KV. */
  readonly kvWrites: number;
  /** Queries that compare with D1 what KV has answered. */
  readonly checks: number;
  /** Isolates that serve the most clicked link within a minute: each may write it to KV after an edit. */
  readonly isolatesOfHottest: number;
}

interface Served {
  readonly members: number;
  readonly kvReads: number;
  readonly cold: number;
  readonly kvWrites: number;
}

// Until the figures no longer change.
const ROUNDS = 30;

/**
 * @param clicks a second
 * @param links by their clicks
 */
export function tierFiguresOf(
  clicks: number,
  links: readonly Rank[],
  isolates: number,
  { memorySeconds }: Shipped,
): TierFigures {
  // How long an isolate knows that it has read an address from D1: for a day, or until it has read too many others.
  let window: number = MEASURED.kvSeconds;
  let served: Served[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    served = links.map(({ members, share }) => ({
      members,
      ...serve(clicks * share, isolates, { memorySeconds, windowSeconds: window }),
    }));
    const coldOfIsolate = sumOver(served, ({ cold }) => cold) / isolates;
    window = Math.min(MEASURED.kvSeconds, MEASURED.missesRemembered / coldOfIsolate);
  }
  const checked = sumOver(served, ({ kvReads, cold }) => {
    const fromKv = (kvReads - cold) / isolates;
    return fromKv / (1 + fromKv * MEASURED.checkSeconds);
  });
  const hottest = clicks * (links[0]?.share ?? 0);
  return {
    kvReads: sumOver(served, ({ kvReads }) => kvReads),
    cold: sumOver(served, ({ cold }) => cold),
    kvWrites: sumOver(served, ({ kvWrites }) => kvWrites),
    checks: (isolates * checked) / (1 + checked * MEASURED.checksGatheredSeconds),
    isolatesOfHottest: isolates * -Math.expm1((-hottest * MEASURED.checkSeconds) / isolates),
  };
}

interface Remembered {
  readonly memorySeconds: number;
  readonly windowSeconds: number;
}

/** @param clicks of one link, a second */
function serve(clicks: number, isolates: number, { memorySeconds, windowSeconds }: Remembered) {
  const kvReads = clicks / (1 + (clicks / isolates) * memorySeconds);
  // So many reads from D1 until two of them were in the same isolate: the birthday problem.
  const readsUntilTwice = 1 + Math.sqrt((Math.PI * isolates) / 2);
  const inWindow = (kvReads * windowSeconds) / readsUntilTwice;
  const fills = inWindow / (1 + inWindow) / readsUntilTwice;
  // Reads from D1 until a fill, and then none while KV has the link.
  const cold = kvReads / (1 + kvReads * MEASURED.kvSeconds * fills);
  return { kvReads, cold, kvWrites: cold * fills };
}
