import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import type { Counted, Place } from '../../src/statistics/counted.ts';
import type { Delivery } from '../../src/statistics/delivery.ts';
import { Feed, KEPT_MS, MOST_A_SECOND, MOST_VIEWS, type Watched } from '../../src/statistics/feed.ts';
import { deliveryOf, openStatistics, type TestClick } from './support/statistics.ts';
import { linesOf } from './support/views.ts';

const ALL: Watched = { link: null, after: null };
const NOTHING = () => [];
/** The first instant of a second. */
const NOW = 1_800_000_000_000;
const KNOWN = { kind: 'human', country: 'AT', referrer: null, browser: 'Firefox', os: 'Linux', device: 'desktop' };

const many = (count: number, click: TestClick = {}): Delivery =>
  deliveryOf(...Array.from({ length: count }, (_, i) => ({ ...click, at: NOW + i })));

it('shows clicks to all who watch, without the marks of visitors', async () => {
  const { stub } = openStatistics();
  const views = [linesOf(await stub.watch(ALL)), linesOf(await stub.watch(ALL))];
  await stub.append(deliveryOf({ marks: 'anna0000', at: NOW, clicks: 3, language: 'de', referrer: 't.co' }));
  for (const { next } of views) {
    const { countedAt, ...click } = (await next()) as Counted;
    expect(click).toEqual({ ...KNOWN, n: 1, link: 'link-1', at: NOW, clicks: 3, referrer: 't.co' });
    expect(Math.abs(countedAt - Date.now())).toBeLessThan(600_000);
  }
});

it('shows what is stored, and nothing that comes again', async () => {
  const { stub } = openStatistics();
  const { next } = linesOf(await stub.watch(ALL));
  await stub.append(deliveryOf({ pack: 'one', country: 'AT' }));
  await stub.append(deliveryOf({ pack: 'one', country: 'AT' }, { pack: 'two', country: 'DE' }));
  expect(await next()).toMatchObject({ country: 'AT' });
  expect(await next()).toMatchObject({ country: 'DE' });
});

it('continues for others when a view is left, and ends when the statistics are erased', async () => {
  const { stub } = openStatistics();
  const [left, stayed] = [linesOf(await stub.watch(ALL)), linesOf(await stub.watch(ALL))];
  await left.stop();
  await stub.append(deliveryOf({}));
  expect(await stayed.next()).toMatchObject({ link: 'link-1' });
  await stub.erase();
  expect(await stayed.next()).toBeNull();
});

it('shows the clicks of one link only, if they are all that is watched', async () => {
  const feed = new Feed();
  const { next } = linesOf(feed.watch({ ...ALL, link: 'mine' }, NOW, NOTHING));
  const delivery = deliveryOf({ link: 'other' }, { link: 'mine' }, { link: 'other' });
  feed.publish(delivery, delivery.groups, NOW);
  const last = deliveryOf({ link: 'mine', country: 'DE' });
  feed.publish(last, last.groups, NOW + 1);
  expect(await next()).toMatchObject({ countedAt: NOW, n: 2, link: 'mine' });
  expect(await next()).toMatchObject({ countedAt: NOW + 1, n: 1, link: 'mine', country: 'DE' });
});

it('shows 50 clicks a second, and of the others how many they are', async () => {
  const feed = new Feed();
  const [all, other] = [ALL, { ...ALL, link: 'other' }].map((of) => linesOf(feed.watch(of, NOW, NOTHING)));
  const first = many(40);
  feed.publish(first, first.groups, NOW);
  const second = deliveryOf(
    ...Array.from({ length: 12 }, () => ({ clicks: 3 })),
    ...Array.from({ length: 2 }, () => ({ link: 'other' })),
  );
  feed.publish(second, second.groups, NOW + 999);
  const third = many(1);
  feed.publish(third, third.groups, NOW + 1000);
  const shown = await all!.take(MOST_A_SECOND);
  expect(shown.map((line) => 'more' in line)).not.toContain(true);
  expect(await all!.next()).toEqual({ countedAt: NOW + 999, n: 14, more: 2 * 3 + 2 });
  expect(await all!.next()).toMatchObject({ countedAt: NOW + 1000, n: 1, clicks: 1 });
  // Of one link they are few.
  expect(await other!.take(2)).toMatchObject([{ link: 'other' }, { link: 'other' }]);
});

it('counts what a view that does not read has missed, and keeps a bounded number for it', async () => {
  const feed = new Feed();
  const { next, take } = linesOf(feed.watch(ALL, NOW, NOTHING));
  for (let i = 0; i < 30; i++) {
    const delivery = deliveryOf({ clicks: 2 });
    feed.publish(delivery, delivery.groups, NOW + i * 1000);
  }
  expect((await take(20)).map(({ countedAt }) => countedAt)).toEqual(
    Array.from({ length: 20 }, (_, i) => NOW + i * 1000),
  );
  const delivery = deliveryOf({});
  feed.publish(delivery, delivery.groups, NOW + 40_000);
  expect(await take(2)).toMatchObject([{ countedAt: NOW + 40_000, clicks: 1 }, { more: 20 }]);
  feed.end();
  expect(await next()).toBeNull();
});

it('has 20 views at most, and room again once one is left or forgotten', async () => {
  const feed = new Feed();
  const [first] = Array.from({ length: MOST_VIEWS }, () => linesOf(feed.watch(ALL, NOW, NOTHING)));
  expect(feed.watch(ALL, NOW, NOTHING)).toBeNull();
  await first!.stop();
  expect(feed.watch(ALL, NOW, NOTHING)).not.toBeNull();
  expect(feed.watch(ALL, NOW + 15 * 60_000, NOTHING)).toBeNull();
  expect(feed.watch(ALL, NOW + 17 * 60_000, NOTHING)).not.toBeNull();
});

it('continues after a place within the minute, with nothing twice and nothing missing', async () => {
  const feed = new Feed();
  const first = linesOf(feed.watch(ALL, NOW, NOTHING));
  const deliveries = [many(60), many(3), many(2, { link: 'other' })];
  feed.publish(deliveries[0]!, deliveries[0]!.groups, NOW + 1000);
  feed.publish(deliveries[1]!, deliveries[1]!.groups, NOW + 2000);
  const before = await first.take(54);
  feed.publish(deliveries[2]!, deliveries[2]!.groups, NOW + 2500);
  const rest = await first.take(2);
  const goesOn = (after: Place, link: string | null = null) =>
    linesOf(feed.watch({ link, after }, NOW + 3000, NOTHING));
  const after = before[29]!;
  expect(before[50]).toEqual({ countedAt: NOW + 1000, n: 60, more: 10 });
  // What was left out is counted once for all that is shown again.
  expect(await goesOn(after).take(26)).toEqual([
    ...before.slice(30, 50),
    ...before.slice(51),
    ...rest,
    { countedAt: NOW + 2500, n: 2, more: 10 },
  ]);
  expect(await goesOn(before.at(-1)!).take(2)).toEqual(rest);
  expect(await goesOn(before.at(-1)!, 'other').take(2)).toEqual(rest);
});

it('continues where it was when the object is started again, with the clicks that are stored', async () => {
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

it('continues after the clicks before were folded, also when the object is started again', async () => {
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

it('writes no row, whether it is watched or not', async () => {
  const { stub, rows } = openStatistics();
  const delivery = deliveryOf({}, { link: 'link-2' });
  const written = async (work: () => Promise<unknown>) => {
    const count = () =>
      rows(
        'SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM state) + (SELECT count(*) FROM words) AS n',
      );
    await work();
    return (await count())[0];
  };
  const before = await written(() => stub.append(delivery));
  const view = await stub.watch({ ...ALL, after: { countedAt: 0, n: 0 } });
  expect(await written(() => stub.lately({ since: 0, most: 10, link: null }))).toEqual(before);
  expect(await written(() => stub.append(delivery))).toEqual(before);
  await linesOf(view).stop();
});

it('gives the last clicks that are not folded, of all links or of one', async () => {
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

it('notes nothing without a view, from a minute after the last one on', async () => {
  const feed = new Feed();
  const delivery = deliveryOf({});
  let reads = 0;
  const watch = async (now: number) => {
    const view = feed.watch(ALL, now, () => (reads++, []));
    await linesOf(view).stop();
  };
  feed.publish(delivery, delivery.groups, NOW);
  await watch(Date.now());
  await watch(Date.now());
  expect(reads).toBe(1);
  await watch(Date.now() + 2 * KEPT_MS);
  expect(reads).toBe(2);
});

it('ends a view that is neither read nor left, so that no timer keeps the object in memory', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    const feed = new Feed();
    const { next } = linesOf(feed.watch(ALL, NOW, NOTHING));
    vi.advanceTimersByTime(15 * 60_000);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(2 * 60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(await next()).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
