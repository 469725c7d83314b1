import { expect, it } from 'vitest';
import { Feed } from '../../src/statistics/feed.ts';
import type { Delivery } from '../../src/statistics/delivery.ts';
import { deliveryOf, openStatistics } from './support/statistics.ts';

type Lines = () => Promise<Delivery | null>;

/** Reads a view of an object, a line at a time. */
function linesOf(stream: ReadableStream<Uint8Array>): { readonly next: Lines; readonly stop: () => Promise<void> } {
  const reader = stream.getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value === undefined ? null : (JSON.parse(new TextDecoder().decode(value)) as Delivery);
  };
  return { next, stop: () => reader.cancel() };
}

it('shows clicks to all who watch, without the marks of visitors', async () => {
  const { stub } = openStatistics();
  const views = [linesOf(await stub.watch()), linesOf(await stub.watch())];
  const delivery = deliveryOf({ marks: 'anna0000', country: 'AT' });
  await stub.append(delivery);
  const [group] = delivery.groups;
  for (const { next } of views) expect(await next()).toEqual({ ...delivery, groups: [group!.with(5, '')] });
});

it('shows what is stored, and nothing that comes again', async () => {
  const { stub } = openStatistics();
  const { next } = linesOf(await stub.watch());
  const [first, second] = [deliveryOf({ pack: 'one' }), deliveryOf({ pack: 'one' }, { pack: 'two' })];
  await stub.append(first);
  await stub.append(second);
  expect((await next())?.groups).toEqual(first.groups);
  expect((await next())?.groups).toEqual(second.groups.filter(([pack]) => second.packs[pack]![0] === 'two'));
});

it('goes on for others when a view is left, and ends when the statistics are erased', async () => {
  const { stub } = openStatistics();
  const [left, stayed] = [linesOf(await stub.watch()), linesOf(await stub.watch())];
  await left.stop();
  await stub.append(deliveryOf({}));
  expect((await stayed.next())?.groups).toHaveLength(1);
  await stub.erase();
  expect(await stayed.next()).toBeNull();
});

it('leaves out clicks for a view that does not read, and keeps a bounded number for it', async () => {
  const feed = new Feed();
  const { next } = linesOf(feed.watch());
  const deliveries = Array.from({ length: 150 }, (_, i) => deliveryOf({ pack: `pack-${i}` }));
  for (const delivery of deliveries) feed.publish(delivery, delivery.groups);
  const shown: string[] = [];
  for (let i = 0; i < 100; i++) shown.push((await next())!.packs[0]![0]);
  expect(shown).toEqual(deliveries.slice(0, 100).map(({ packs }) => packs[0]![0]));
  feed.end();
  expect(await next()).toBeNull();
});
