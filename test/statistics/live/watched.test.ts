import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { Counted } from '../../../src/statistics/live/counted-clicks.ts';
import { KEPT_MS, type Watched } from '../../../src/statistics/live/feed.ts';
import { readAll } from '../support/backups.ts';
import { deliveryOf, openStatistics, type Statistics } from '../support/statistics.ts';
import { linesOf } from '../support/views.ts';

const ALL: Watched = { link: null, after: null };
/** The first instant of a second. */
const NOW = 1_800_000_000_000;
const KNOWN = { kind: 'human', country: 'AT', referrer: null, browser: 'Firefox', os: 'Linux', device: 'desktop' };
const PLAIN = { via: 'link', utmMedium: null, utmCampaign: null };

it('a watched object shows clicks to all who watch, without the marks of visitors', async () => {
  const { stub } = openStatistics();
  const views = [linesOf(await stub.watch(ALL)), linesOf(await stub.watch(ALL))];
  await stub.append(deliveryOf({ marks: 'anna0000', at: NOW, clicks: 3, language: 'de', referrer: 't.co' }));
  for (const { next } of views) {
    const { countedAt, ...click } = (await next()) as Counted;
    expect(click).toEqual({ ...KNOWN, ...PLAIN, n: 1, link: 'link-1', at: NOW, clicks: 3, referrer: 't.co' });
    expect(Math.abs(countedAt - Date.now())).toBeLessThan(600_000);
  }
});

it('a watched object shows what is stored, and nothing that comes again', async () => {
  const { stub } = openStatistics();
  const { next } = linesOf(await stub.watch(ALL));
  await stub.append(deliveryOf({ pack: 'one', country: 'AT' }));
  await stub.append(deliveryOf({ pack: 'one', country: 'AT' }, { pack: 'two', country: 'DE' }));
  expect(await next()).toMatchObject({ country: 'AT' });
  expect(await next()).toMatchObject({ country: 'DE' });
});

it('a watched object continues for others when a view is left, and ends when the statistics are erased', async () => {
  const { stub } = openStatistics();
  const [left, stayed] = [linesOf(await stub.watch(ALL)), linesOf(await stub.watch(ALL))];
  await left.stop();
  await stub.append(deliveryOf({}));
  expect(await stayed.next()).toMatchObject({ link: 'link-1' });
  await stub.erase();
  expect(await stayed.next()).toBeNull();
});

it('a watched object reads no clicks of more than a minute ago when the object is started again', async () => {
  const statistics = openStatistics();
  for (const country of ['AT', 'DE']) await statistics.stub.append(deliveryOf({ country }));
  for (const [id, age] of [61_000, 30_000].entries())
    await statistics.rows('UPDATE deliveries SET at = ?1 WHERE id = ?2', Date.now() - age, id + 1);
  await statistics.crash();
  const view = linesOf(await statistics.stub.watch({ ...ALL, after: { countedAt: 0, n: 0 } }));
  expect(await view.next()).toMatchObject({ country: 'DE' });
});

it('a watched object continues where it was when the object is started again, with the clicks that are stored', async () => {
  const statistics = openStatistics();
  const { stub } = statistics;
  const first = linesOf(await stub.watch(ALL));
  await stub.append(deliveryOf({ referrer: 't.co' }, { link: 'link-2', kind: 'bot', country: null, clicks: 4 }));
  await stub.append(deliveryOf({ device: 'mobile' }));
  const shown = await first.take(3);
  await statistics.crash();
  await expect(first.next()).rejects.toThrow();
  const { stub: again } = statistics;
  expect(await linesOf(await again.watch({ ...ALL, after: shown[0]! })).take(2)).toEqual(shown.slice(1));
  expect(await linesOf(await again.watch({ ...ALL, after: { countedAt: 0, n: 0 } })).take(3)).toEqual(shown);
  const later = linesOf(await again.watch({ ...ALL, after: shown[2]! }));
  await again.append(deliveryOf({ os: 'iOS' }));
  expect(await later.next()).toMatchObject({ os: 'iOS' });
});

it('a watched object continues after the clicks before were folded, also when the object is started again', async () => {
  const statistics = openStatistics();
  const { stub, rows } = statistics;
  await stub.append(deliveryOf({ country: 'AT' }));
  await statistics.age();
  await stub.append(deliveryOf({ country: 'DE' }, { country: 'CH' }));
  const shown = await stub.lately({ since: 0, most: 10, link: null });
  await runDurableObjectAlarm(stub);
  expect(await rows('SELECT groups FROM deliveries')).toEqual([{ groups: 2 }]);
  expect(await stub.lately({ since: 0, most: 10, link: null })).toEqual(shown.slice(1));
  await statistics.crash();
  const view = linesOf(await statistics.stub.watch({ ...ALL, after: shown[1]! }));
  expect(await view.next()).toEqual(shown[2]);
});

it('a watched object writes no row, whether it is watched or not', async () => {
  const [watched, other] = [openStatistics(), openStatistics()];
  const written = ({ stub }: Statistics) =>
    runInDurableObject(stub, async (object, { storage: { sql } }) => {
      const changes = () => sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n;
      const before = changes();
      await object.append(deliveryOf({}, { link: 'link-2' }));
      return changes() - before;
    });
  for (const { stub } of [watched, other]) await stub.append(deliveryOf({}));
  const view = linesOf(await watched.stub.watch(ALL));
  const [withView, without] = [await written(watched), await written(other)];
  expect(await view.take(2)).toMatchObject([{ link: 'link-1' }, { link: 'link-2' }]);
  expect(withView).toBe(without);
  expect(withView).toBeGreaterThan(0);
  const before = await readAll(watched);
  await watched.stub.lately({ since: 0, most: 10, link: null });
  await view.stop();
  expect(await readAll(watched)).toEqual(before);
});

it('a watched object shows a referrer as it is stored, so as other beyond the new ones of a day', async () => {
  const { stub } = openStatistics();
  const { take } = linesOf(await stub.watch(ALL));
  const referrers = Array.from({ length: 5001 }, (_, i) => `host-${i}.example`);
  await stub.append(deliveryOf(...referrers.map((referrer, i) => ({ referrer, clicks: i === 0 ? 1 : 2 }))));
  const [shown] = await take(1);
  expect(shown).toMatchObject({ referrer: 'other', clicks: 1 });
  expect((await stub.lately({ since: 0, most: 10_000, link: null }))[0]).toEqual(shown);
});

it('a watched object gives the last clicks that are not folded, of all links or of one', async () => {
  const { stub, fold } = openStatistics();
  await stub.append(deliveryOf({ link: 'a', country: 'AT' }, { link: 'b', country: 'DE', referrer: 'x.example' }));
  await stub.append(deliveryOf({ link: 'a', country: 'CH', kind: 'preview', browser: null }));
  const ask = async (wish: Partial<Parameters<typeof stub.lately>[0]>) =>
    (await stub.lately({ since: 0, most: 100, link: null, ...wish })).map(({ link, country }) => [link, country]);
  expect(await ask({})).toEqual([
    ['a', 'AT'],
    ['b', 'DE'],
    ['a', 'CH'],
  ]);
  expect(await ask({ link: 'a' })).toEqual([
    ['a', 'AT'],
    ['a', 'CH'],
  ]);
  expect(await ask({ most: 1 })).toEqual([['a', 'CH']]);
  expect(await ask({ link: 'c' })).toEqual([]);
  expect(await ask({ since: Date.now() + KEPT_MS })).toEqual([]);
  expect((await stub.lately({ since: 0, most: 1, link: null }))[0]).toMatchObject({
    kind: 'preview',
    browser: null,
    os: 'Linux',
  });
  await fold();
  expect(await ask({})).toEqual([]);
});
