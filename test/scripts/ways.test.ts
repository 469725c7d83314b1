import { describe, expect, it } from 'vitest';
import { simulateWays, type WayLoad } from '../../bench/ways.ts';

const CONSUMERS = { batchSize: 100, batchSeconds: 5, consumers: 5 };

function openRandom(): () => number {
  let seed = 7;
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

const simulate = (load: WayLoad) => simulateWays(load, CONSUMERS, openRandom());

describe('the ways of clicks', () => {
  it('cost less than the queue where clicks are rare, and delay no click', async () => {
    const ways = await simulate({ isolates: 1, clients: 1, clicksASecond: 0.1, seconds: 3600 });
    expect(ways.direct).toBeGreaterThan(0.9);
    expect(ways.delaySeconds).toBeLessThan(0.5);
    expect(ways.cost).toBeLessThan(ways.queueOnly * 0.8);
  });

  it.each<[string, WayLoad]>([
    ['one client on 300 isolates', { isolates: 300, clients: 1, clicksASecond: 1, seconds: 600 }],
    ['one client on 10 isolates', { isolates: 10, clients: 1, clicksASecond: 1, seconds: 600 }],
    ['one client on 300 isolates under load', { isolates: 300, clients: 1, clicksASecond: 20, seconds: 300 }],
    ['1,000 clients on 100 isolates', { isolates: 100, clients: 1000, clicksASecond: 10, seconds: 300 }],
    ['1,000 clients on 100 quiet isolates', { isolates: 100, clients: 1000, clicksASecond: 0.5, seconds: 600 }],
  ])('cost no more than the queue alone with %s', async (_name, load) => {
    const ways = await simulate(load);
    expect(ways.cost).toBeLessThanOrEqual(ways.queueOnly * 1.02);
  });
});
