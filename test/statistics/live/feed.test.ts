import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClickPosition } from '../../../src/statistics/live/counted-clicks.ts';
import type { Delivery } from '../../../src/statistics/append/delivery.ts';
import { Feed, KEPT_MS, MAX_KEPT, MAX_VIEWS, type Watched } from '../../../src/statistics/live/feed.ts';
import { MAX_A_SECOND, MAX_AT_ONCE } from '../../../src/statistics/live/view.ts';
import { deliveryOf, type TestClick } from '../support/statistics.ts';
import { linesOf } from '../support/views.ts';

const ALL: Watched = { link: null, after: null };
const NOTHING = () => [];
/** The first instant of a second. */
const NOW = 1_800_000_000_000;

const many = (count: number, click: TestClick = {}): Delivery =>
  deliveryOf(...Array.from({ length: count }, (_, i) => ({ at: NOW + i, ...click })));

it('a feed of clicks shows the clicks of one link only, if they are all that is watched', async () => {
  const feed = new Feed();
  const { next } = linesOf(feed.watch({ ...ALL, link: 'mine' }, NOW, NOTHING));
  const delivery = deliveryOf({ link: 'other' }, { link: 'mine' }, { link: 'other' });
  feed.publish(delivery, delivery.groups, NOW);
  const last = deliveryOf({ link: 'mine', country: 'DE' });
  feed.publish(last, last.groups, NOW + 1);
  expect(await next()).toMatchObject({ countedAt: NOW, n: 2, link: 'mine' });
  expect(await next()).toMatchObject({ countedAt: NOW + 1, n: 1, link: 'mine', country: 'DE' });
});

it('a feed of clicks shows 50 clicks of a second, and of the others how many they are', async () => {
  const feed = new Feed();
  const [all, other] = [ALL, { ...ALL, link: 'other' }].map((of) => linesOf(feed.watch(of, NOW, NOTHING)));
  const publish = (delivery: Delivery, now: number) => feed.publish(delivery, delivery.groups, now);
  publish(many(40), NOW + 2000);
  // Their second counts in the next delivery too.
  publish(
    deliveryOf(
      ...Array.from({ length: 12 }, () => ({ at: NOW, clicks: 3 })),
      ...Array.from({ length: 2 }, () => ({ at: NOW, link: 'other' })),
    ),
    NOW + 4000,
  );
  publish(deliveryOf({ at: NOW + 1000 }), NOW + 4001);
  const shown = await all!.take(MAX_A_SECOND);
  expect(shown.map((line) => 'more' in line)).not.toContain(true);
  expect(await all!.next()).toEqual({ countedAt: NOW + 4000, n: 14, more: 2 * 3 + 2 });
  expect(await all!.next()).toMatchObject({ countedAt: NOW + 4001, n: 1, clicks: 1 });
  // Of one link they are few.
  expect(await other!.take(2)).toMatchObject([{ link: 'other' }, { link: 'other' }]);
});

it('a feed of clicks shows all clicks of five seconds that are counted together, but no more than 250', async () => {
  const feed = new Feed();
  const { take } = linesOf(feed.watch(ALL, NOW, NOTHING));
  const spread = (count: number, apart: number) =>
    deliveryOf(...Array.from({ length: count }, (_, i) => ({ at: NOW + i * apart })));
  const [steady, late] = [spread(200, 25), spread(300, 1000)];
  feed.publish(steady, steady.groups, NOW + 5000);
  feed.publish(late, late.groups, NOW + 10_000);
  const shown = await take(200 + MAX_AT_ONCE + 1);
  expect(shown.findIndex((line) => 'more' in line)).toBe(200 + MAX_AT_ONCE);
  expect(shown.at(-1)).toEqual({ countedAt: NOW + 10_000, n: 300, more: 50 });
});

it('a feed of clicks counts what a view that does not read has missed, and keeps a bounded number for it', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const feed = new Feed();
  const { next, take } = linesOf(feed.watch(ALL, NOW, NOTHING));
  const publish = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const delivery = deliveryOf({ clicks: 2, at: NOW + i * 1000 });
      feed.publish(delivery, delivery.groups, NOW + i * 1000);
    }
  };
  publish(0, 30);
  const places = (count: number) => Array.from({ length: count }, (_, i) => NOW + i * 1000);
  expect((await take(20)).map(({ countedAt }) => countedAt)).toEqual(places(20));
  publish(40, 41);
  const missed = { countedAt: NOW + 29_000, n: 1, more: 20 };
  expect(await take(2)).toMatchObject([missed, { countedAt: NOW + 40_000, clicks: 2 }]);
  publish(41, 62);
  await take(20);
  // Also if no further click comes.
  vi.advanceTimersByTime(5000);
  expect(await next()).toEqual({ countedAt: NOW + 61_000, n: 1, more: 2 });
  feed.end();
  expect(await next()).toBeNull();
});

it('a feed of clicks has 20 views at most, and room again once one is left or forgotten', async () => {
  const feed = new Feed();
  const [first] = Array.from({ length: MAX_VIEWS }, () => linesOf(feed.watch(ALL, NOW, NOTHING)));
  expect(feed.watch(ALL, NOW, NOTHING)).toBeNull();
  await first!.stop();
  expect(feed.watch(ALL, NOW, NOTHING)).not.toBeNull();
  expect(feed.watch(ALL, NOW + 15 * 60_000, NOTHING)).toBeNull();
  expect(feed.watch(ALL, NOW + 17 * 60_000, NOTHING)).not.toBeNull();
});

it('a feed of clicks continues after a place within the minute, with nothing twice and nothing missing', async () => {
  const feed = new Feed();
  const first = linesOf(feed.watch(ALL, NOW, NOTHING));
  const deliveries = [many(60), many(3, { at: NOW + 1000 }), many(2, { at: NOW + 1000, link: 'other' })];
  feed.publish(deliveries[0]!, deliveries[0]!.groups, NOW + 1000);
  feed.publish(deliveries[1]!, deliveries[1]!.groups, NOW + 2000);
  const before = await first.take(54);
  feed.publish(deliveries[2]!, deliveries[2]!.groups, NOW + 2500);
  const rest = await first.take(2);
  const goesOn = (after: ClickPosition, link: string | null = null) =>
    linesOf(feed.watch({ link, after }, NOW + 3000, NOTHING));
  const after = before[29]!;
  expect(before[50]).toEqual({ countedAt: NOW + 1000, n: 60, more: 10 });
  expect(await goesOn(after).take(26)).toEqual([...before.slice(30), ...rest]);
  expect(await goesOn(before.at(-1)!).take(2)).toEqual(rest);
  expect(await goesOn(before.at(-1)!, 'other').take(2)).toEqual(rest);
});

it('a feed of clicks continues amid clicks that were counted together, with the number of all that were left out', async () => {
  const feed = new Feed();
  const { take } = linesOf(feed.watch(ALL, NOW, NOTHING));
  const ats = [...Array.from({ length: MAX_A_SECOND + 1 }, () => NOW), NOW + 1000, NOW + 1000];
  const delivery = deliveryOf(...ats.map((at) => ({ at })));
  feed.publish(delivery, delivery.groups, NOW + 5000);
  const shown = await take(MAX_A_SECOND + 3);
  expect(shown.at(-1)).toEqual({ countedAt: NOW + 5000, n: MAX_A_SECOND + 3, more: 1 });
  const again = linesOf(feed.watch({ ...ALL, after: shown[MAX_A_SECOND]! }, NOW + 6000, NOTHING));
  expect(await again.take(2)).toEqual(shown.slice(-2));
});

it('a feed of clicks continues with what was counted in the last minute, of very much with the newest', async () => {
  const feed = new Feed();
  linesOf(feed.watch(ALL, NOW, NOTHING));
  const publish = (delivery: Delivery, now: number) => feed.publish(delivery, delivery.groups, now);
  const resume = (now: number) => linesOf(feed.watch({ ...ALL, after: { countedAt: 0, n: 0 } }, now, NOTHING));
  publish(deliveryOf({ country: 'AT' }), NOW);
  publish(deliveryOf({ country: 'DE' }), NOW + 1000);
  expect(await resume(NOW + KEPT_MS - 1).take(2)).toMatchObject([{ country: 'AT' }, { country: 'DE' }]);
  expect(await resume(NOW + KEPT_MS).next()).toMatchObject({ country: 'DE' });
  publish(deliveryOf({ country: 'CH' }), NOW + KEPT_MS);
  expect(await resume(NOW + KEPT_MS + 999).take(2)).toMatchObject([{ country: 'DE' }, { country: 'CH' }]);
  publish(deliveryOf(...Array.from({ length: MAX_KEPT }, (_, i) => ({ at: NOW + i * 20 }))), NOW + KEPT_MS + 1000);
  expect(await resume(NOW + KEPT_MS + 1001).next()).toMatchObject({ at: NOW });
});

it('a feed of clicks notes nothing without a view, from a minute after the last one on', async () => {
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

it('a feed of clicks ends a view that is neither read nor left, so that no timer keeps the object in memory', async () => {
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
