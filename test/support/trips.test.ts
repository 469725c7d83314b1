import { afterEach, expect, it, vi } from 'vitest';
import { waitReally } from './deferred.ts';
import { open } from './manage.ts';
import { call } from './service.ts';
import { countTrips } from './trips.ts';
import { fromEachStore } from './visits.ts';

afterEach(() => void vi.restoreAllMocks());

it('counts no query that an earlier request has deferred', async () => {
  const manager = await open();
  const id = await manager.make({ url: 'https://example.com/' });
  await fromEachStore(`/${id}`);
  // It is served from KV, and compared with the database a little later.
  await call(`/${id}`);
  const trips = await countTrips();
  await waitReally(100);
  expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
});
