import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY } from './support/statistics.ts';

describe('clicks that were delivered', () => {
  it('clicks that were delivered are counted at once, and the same after they are folded', async () => {
    const { stub, ask, fold, rows } = openStatistics();
    await stub.append(deliveryOf({}, { country: 'DE', clicks: 3 }, { kind: 'bot', country: null }, { link: 'link-2' }));
    const question = { by: ['country', 'link'] } as const;
    const clicks = await ask(question);
    expect(clicks).toEqual([
      {
        day: TODAY,
        humans: 5,
        bots: 1,
        previews: 0,
        isKnown: true,
        hasHours: true,
        by: {
          country: [
            { value: 'AT', humans: 2, bots: 0, previews: 0 },
            { value: 'DE', humans: 3, bots: 0, previews: 0 },
            { value: '', humans: 0, bots: 1, previews: 0 },
          ],
          link: [
            { value: 'link-1', humans: 4, bots: 1, previews: 0 },
            { value: 'link-2', humans: 1, bots: 0, previews: 0 },
          ],
        },
      },
    ]);
    await fold();
    expect(await rows('SELECT id FROM deliveries')).toEqual([]);
    expect(await ask(question)).toEqual(clicks);
  });

  it('clicks that were delivered are counted once, however often their packs come', async () => {
    const { stub, ask, fold, restart } = openStatistics();
    const delivery = deliveryOf({ pack: 'one' }, { pack: 'two' });
    await stub.append(delivery);
    await stub.append(delivery);
    await stub.append(deliveryOf({ pack: 'two' }, { pack: 'three' }));
    const clicks = async () => (await ask()).map(({ humans }) => humans);
    expect(await clicks()).toEqual([3]);
    await restart();
    await stub.append(delivery);
    expect(await clicks()).toEqual([3]);
    await fold();
    await stub.append(delivery);
    await restart();
    await stub.append(delivery);
    await fold();
    expect(await clicks()).toEqual([3]);
  });

  it('clicks that were delivered are counted once if their pack comes twice in a delivery, between packs of other hours', async () => {
    const { stub, ask } = openStatistics();
    const delivery = deliveryOf({ pack: 'one' }, { pack: 'two' }, { pack: 'three' }, { pack: 'again' });
    const at = (hoursAgo: number) => Date.now() - hoursAgo * HOUR_MS;
    const packs = [
      ['one', at(5)],
      ['two', at(1)],
      ['three', at(8)],
      ['one', at(5)],
    ] as const;
    await stub.append({ ...delivery, packs });
    await stub.append({ ...delivery, packs: packs.toReversed() });
    expect((await ask()).map(({ humans }) => humans)).toEqual([3]);
  });
});
