import { describe, expect, it } from 'vitest';
import { SHIPPED } from '../../bench/growth/shipped.ts';
import { openRandom, simulateWays, WAY_LOADS, type WayLoad } from '../../bench/ways.ts';
import { shareOf } from '../support/share.ts';

const CONSUMERS = {
  batchSize: SHIPPED.batchMessages,
  batchSeconds: SHIPPED.batchSeconds,
  consumers: SHIPPED.consumersAtOnce,
};

const simulate = (load: WayLoad) => simulateWays(load, CONSUMERS, openRandom());

describe('the ways of clicks', () => {
  it('the ways of clicks cost less than the queue where clicks are rare, and delay no click', async () => {
    const ways = await simulate({ isolates: 1, clients: 1, clicksASecond: 0.1, seconds: 3600 });
    expect(ways.direct).toBeGreaterThan(0.9);
    expect(ways.delaySeconds).toBeLessThan(0.5);
    expect(ways.cost).toBeLessThan(ways.queueOnly * 0.8);
  });

  it.each(shareOf(Object.entries(WAY_LOADS)))(
    'the ways of clicks cost no more than the queue alone with %s',
    async (_name, load) => {
      const ways = await simulate(load);
      expect(ways.cost).toBeLessThanOrEqual(ways.queueOnly * 1.02);
    },
  );
});
