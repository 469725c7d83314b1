import { MEASURED, type Assumptions } from './assumptions.ts';
import type { Shipped } from './shipped.ts';
import { membersIn, type Rank } from './zipf.ts';

/** The way of clicks to the objects of their clients, in the busiest second. */
export interface ClickFigures {
  readonly isolates: number;
  readonly messages: number;
  readonly consumers: number;
  /** Consumers that would have to run at the same time, so that no message waits. */
  readonly consumersAtOnce: number;
  /** Calls of objects, each with the clicks that a batch or a pack has for one client. */
  readonly appends: number;
  readonly objectsAwake: number;
  /** The object of the client with most clicks. */
  readonly busiest: {
    /** Its share of all clicks. */
    readonly share: number;
    readonly clicks: number;
    /** Transactions: appends and slices of folds. */
    readonly writes: number;
  };
}

/** @param clicks a second */
export function clickFiguresOf(
  clicks: number,
  clients: readonly Rank[],
  assumptions: Assumptions,
  { packSeconds, batchMessages, batchSeconds }: Shipped,
): ClickFigures {
  const isolates = Math.max(assumptions.locations, clicks / assumptions['isolate-clicks']);
  // A click that finds nothing waiting opens a pack, which takes all others of the next second.
  const others = (clicks / isolates) * packSeconds;
  const packs = clicks / (1 + others);
  // Those of one or two clicks have at most two clients, and go straight to objects.
  const [ones, twos] = [packs * Math.exp(-others), packs * Math.exp(-others) * others];
  const direct = ones + 2 * twos;
  const queued = Math.max(0, clicks - direct);
  const messages = Math.max(packs - ones - twos, (queued * MEASURED.messageBytesPerClick) / MEASURED.messageBytes);
  const batch = Math.min(batchMessages, Math.max(1, messages * batchSeconds));
  const consumers = messages / batch;
  const clicksInBatch = consumers > 0 ? queued / consumers : 0;
  const clientsInBatch = membersIn(clients, clicksInBatch);
  // Two calls of D1, one after the other, and one of each client's object.
  const calls = 2 + clientsInBatch / MEASURED.connections;
  const share = clients[0]?.share ?? 0;
  const folded = (clicks * share) / MEASURED.linksPerFoldedSlice;
  return {
    isolates,
    messages,
    consumers,
    consumersAtOnce: (consumers * calls * assumptions['call-ms']) / 1000,
    appends: consumers * clientsInBatch + direct,
    objectsAwake: membersIn(clients, clicks * assumptions['awake-seconds']),
    busiest: {
      share,
      clicks: clicks * share,
      writes:
        consumers * -Math.expm1(-share * clicksInBatch) + Math.min(share * direct, MEASURED.directAppends) + folded,
    },
  };
}

/**
 * The bytes in the object of a client: the facts of its last days, and the sums of all days before.
 *
 * @param clicks a day
 */
export function objectBytesOf(clicks: number, years: number): number {
  const days = years * 365;
  const young = Math.min(days, MEASURED.factDays);
  return clicks * (young * MEASURED.clickBytes + (days - young) * MEASURED.oldClickBytes);
}
