import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { countQueries } from './d1.ts';

/** The Worker's calls of its stores since `countTrips`. A trip is one round trip, however many statements it has. */
interface Trips {
  readonly d1: number;
  readonly kvReads: number;
  readonly kvWrites: number;
}

/** Drops all clicks, until `vi.restoreAllMocks`. */
export function dropClicks(): void {
  vi.spyOn(env.CLICKS, 'send').mockResolvedValue({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
}

/**
 * Counts from now on, until `vi.restoreAllMocks`. Clicks are dropped meanwhile, since the round trips of their consumer
 * would count too, as do those for clicks of an earlier test.
 */
export async function countTrips(): Promise<() => Trips> {
  dropClicks();
  const queries = await countQueries();
  const [get, put, remove] = [vi.spyOn(env.LINKS, 'get'), vi.spyOn(env.LINKS, 'put'), vi.spyOn(env.LINKS, 'delete')];
  return () => {
    const { primary, nearest } = queries();
    return {
      d1: primary + nearest,
      kvReads: get.mock.calls.length,
      kvWrites: put.mock.calls.length + remove.mock.calls.length,
    };
  };
}
