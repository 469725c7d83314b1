import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** The Worker's calls of its stores since `countTrips`. A trip is one round trip, however many statements it has. */
export interface Trips {
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
export function countTrips(): () => Trips {
  dropClicks();
  const batch = vi.spyOn(env.DB, 'batch');
  const statement = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;
  const single = (['first', 'all', 'run', 'raw'] as const).map((method) => vi.spyOn(statement, method));
  const [get, put, remove] = [vi.spyOn(env.LINKS, 'get'), vi.spyOn(env.LINKS, 'put'), vi.spyOn(env.LINKS, 'delete')];
  return () => ({
    d1: batch.mock.calls.length + single.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    kvReads: get.mock.calls.length,
    kvWrites: put.mock.calls.length + remove.mock.calls.length,
  });
}
