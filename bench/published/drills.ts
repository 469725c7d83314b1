import type { FaultName } from './failing-stores.ts';

/** The kinds of links that visits of a drill lead to, with their part of all visits in percent. */
export const KINDS = {
  hot: { percent: 80, what: 'one of 20 hot links, in memory and in KV' },
  cached: { percent: 10, what: 'a link in KV that memory does not have' },
  remembered: { percent: 5, what: 'one of 50 links followed once just before, in memory alone' },
  cold: { percent: 5, what: 'a link that was never followed, in D1 alone' },
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

export interface Drill {
  readonly store: FaultName;
  readonly what: string;
  /** The kinds whose visits should all be redirected. */
  readonly right: readonly Kind[];
  /** The expected p99, at most, in milliseconds. */
  readonly p99Ms: number;
  readonly why: string;
}

// On two cores that also serve the load and all local stores.
const QUICK_MS = 100;

/** The outages, each with what is expected of it. */
export const DRILLS: readonly Drill[] = [
  {
    store: 'kv',
    what: 'KV fails',
    right: KIND_NAMES,
    p99Ms: QUICK_MS,
    why: 'what memory does not have is read in D1',
  },
  {
    store: 'kv_slow',
    what: 'KV takes 3 s',
    right: KIND_NAMES,
    p99Ms: QUICK_MS,
    why: 'after three reads that took a second, D1 is read instead',
  },
  {
    store: 'd1',
    what: 'D1 fails',
    right: ['hot', 'cached', 'remembered'],
    p99Ms: QUICK_MS,
    why: 'memory and KV are served; a link that neither has is 503',
  },
  {
    store: 'd1_read_only',
    what: 'D1 takes no writes',
    right: KIND_NAMES,
    p99Ms: QUICK_MS,
    why: 'a redirect writes nothing to D1',
  },
  {
    store: 'kv_and_d1',
    what: 'KV and D1 fail',
    right: ['hot', 'remembered'],
    p99Ms: QUICK_MS,
    why: 'only memory is served, beyond `MEMORY_SECONDS` too',
  },
  {
    store: 'queue',
    what: 'the queue fails',
    right: KIND_NAMES,
    p99Ms: QUICK_MS,
    why: 'clicks go directly to the objects',
  },
  {
    store: 'statistics',
    what: 'the statistics objects fail',
    right: KIND_NAMES,
    p99Ms: QUICK_MS,
    why: 'clicks wait in the queue',
  },
];

/** The expected share of visits that are redirected as they should be, of 1. */
export function expectedShare({ right }: Drill): number {
  return right.reduce((sum, kind) => sum + KINDS[kind].percent, 0) / 100;
}
