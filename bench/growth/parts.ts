import { LIMITS, MEASURED } from './assumptions.ts';
import type { Figures } from './model.ts';
import { SHIPPED } from './shipped.ts';

/** A part of the service with a limit. */
export interface Part {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** The part of the figures that the limit is for. */
  readonly loadOf: (figures: Figures) => number;
  /** The behaviour beyond the limit. */
  readonly beyond: string;
  /** True if that is only slower: then the part does not count as the first one. */
  readonly isOnlySlower?: true;
}

export const PARTS = [
  {
    name: 'queue',
    limit: LIMITS.queueMessagesPerSecond,
    unit: 'messages/s',
    loadOf: ({ messages }) => messages,
    beyond: 'clicks are counted at once, not by the queue',
  },
  {
    name: 'consumers',
    limit: SHIPPED.consumersAtOnce,
    unit: 'at once',
    loadOf: ({ consumersAtOnce }) => consumersAtOnce,
    beyond: 'clicks are counted later',
  },
  {
    name: 'busiest object, writes',
    limit: LIMITS.objectWritesPerSecond,
    unit: '/s',
    loadOf: ({ busiest }) => busiest.writes,
    beyond: 'clicks of that client are counted later',
  },
  {
    name: 'busiest object, CPU',
    limit: MEASURED.objectClicksPerSecond,
    unit: 'clicks/s',
    loadOf: ({ busiest }) => busiest.clicks,
    beyond: 'clicks of that client are counted later',
  },
  {
    name: 'busiest object, size',
    limit: LIMITS.objectBytes,
    unit: 'bytes',
    loadOf: ({ objectBytes }) => objectBytes,
    beyond: 'clicks of that client are retried for days, then lost',
  },
  {
    name: 'D1, size',
    limit: LIMITS.databaseBytes,
    unit: 'bytes',
    loadOf: ({ databaseBytes }) => databaseBytes,
    beyond: 'no link can be created',
  },
  {
    name: 'D1, queries',
    limit: LIMITS.databaseQueriesPerSecond,
    unit: '/s',
    loadOf: ({ queries }) => queries.all,
    beyond: 'requests wait for D1, and get 503',
  },
  {
    name: 'D1, one client',
    limit: LIMITS.databaseBytes,
    unit: 'bytes',
    loadOf: ({ clientBytes }) => clientBytes,
    beyond: 'the largest client needs several databases',
  },
  {
    name: 'D1, account',
    limit: LIMITS.accountDatabaseBytes,
    unit: 'bytes',
    loadOf: ({ databaseBytes }) => databaseBytes,
    beyond: 'no link can be created, until Cloudflare raises it',
  },
  {
    name: 'custom hostnames',
    limit: LIMITS.customHostnames,
    unit: 'hostnames',
    loadOf: ({ customHostnames }) => customHostnames,
    beyond: 'no domain can be added, until Cloudflare raises it',
  },
  {
    name: 'KV, one key',
    limit: LIMITS.kvWritesOfKeyPerSecond,
    unit: 'writes/s',
    // Each of them may find the old state in KV within the minute after an edit, and write the new one.
    loadOf: ({ isolatesOfHottest }) => isolatesOfHottest / MEASURED.checkSeconds,
    beyond: 'some writes after an edit are lost, and are the same',
    isOnlySlower: true,
  },
] as const satisfies readonly Part[];

/** The share of its limit that a part uses. */
export function useOf({ limit, loadOf }: Part, figures: Figures): number {
  return loadOf(figures) / limit;
}

/** The parts that are beyond their limits, the most used first. */
export function saturatedOf(figures: Figures): Part[] {
  return (PARTS as readonly Part[])
    .filter((part) => useOf(part, figures) > 1)
    .toSorted((a, b) => useOf(b, figures) - useOf(a, figures));
}

const FEWEST = 1;
const MOST = 1e9;
const STEPS = 50;

/** The number of clients at which a part is beyond its limit; null if that is more than 10^9. */
export function saturatedFrom(part: Part, figuresFor: (clients: number) => Figures): number | null {
  if (useOf(part, figuresFor(MOST)) <= 1) return null;
  let [below, above] = [FEWEST, MOST];
  for (let step = 0; step < STEPS && above - below > 1; step++) {
    const middle = Math.round(Math.sqrt(below * above));
    if (middle <= below || middle >= above) break;
    if (useOf(part, figuresFor(middle)) > 1) above = middle;
    else below = middle;
  }
  return above;
}
