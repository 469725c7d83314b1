import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { Tallies } from '../../src/isolate/tallies.ts';
import { createdRows, expectTooMany, jsonBy, LINK, openIsolatePerTest } from '../support/limits.ts';

const call = openIsolatePerTest();
const json = jsonBy(call);
afterEach(() => void vi.restoreAllMocks());

it('calls the limiter once for a batch, and counts its links in the isolate', async () => {
  const caller = await seedCaller();
  const limit = vi.spyOn(env.CREATE_LIMIT, 'limit');
  const take = vi.spyOn(Tallies.prototype, 'take');
  const links = Array.from({ length: 100 }, () => LINK(caller));
  expect((await json('/v1/links/batch', () => ({ links }))(caller)).status).toBe(200);
  expect(limit).toHaveBeenCalledOnce();
  expect(take.mock.calls.filter(([key]) => key.startsWith('CREATE_')).map(([, ...rest]) => rest)).toEqual([
    [100, 3000],
    [100, 6000],
  ]);
});

it('creates no link of a batch that is larger than what is left of the limit', async () => {
  const caller = await seedCaller();
  const batchOf = (count: number) =>
    json('/v1/links/batch', () => ({ links: Array.from({ length: count }, () => LINK(caller)) }))(caller);
  // The rest of the 3,000 of this minute.
  let left = 5;
  vi.spyOn(Tallies.prototype, 'take').mockImplementation((key, weight) => {
    if (!key.startsWith('CREATE_LIMIT')) return true;
    if (weight <= left) left -= weight;
    else return false;
    return true;
  });
  expect((await batchOf(4)).status).toBe(200);
  const before = await createdRows();
  await expectTooMany(await batchOf(2));
  expect(await createdRows()).toEqual(before);
  expect((await batchOf(1)).status).toBe(200);
});
