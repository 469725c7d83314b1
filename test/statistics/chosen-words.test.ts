import { describe, expect, it } from 'vitest';
import { MAX_NEW_WORDS } from '../../src/statistics/words.ts';
import { deliveryOf, openStatistics } from './support/statistics.ts';

describe('words that visitors choose', () => {
  it('words that visitors choose are few a day: the most clicked stay, and the others count as other', async () => {
    const { stub, ask, rows } = openStatistics();
    const limit = MAX_NEW_WORDS.referrer!;
    for (let batch = 0; batch < 4; batch++) {
      const made = Array.from({ length: 2000 }, (_, i) => ({
        link: `link-${batch}-${i % 40}`,
        referrer: `r${batch}-${i}.example`,
      }));
      await stub.append(deliveryOf(...made, { referrer: `popular-${batch}.example`, clicks: 50 }));
    }
    const [{ words } = {}] = await rows('SELECT count(*) AS words FROM words WHERE dimension = 1');
    expect(words).toBe(limit);
    const [today] = await ask({ by: ['referrer'] });
    const clicksOf = (name: string) => today!.by.referrer!.find(({ value }) => value === name)?.humans;
    expect([clicksOf('popular-0.example'), clicksOf('popular-1.example'), clicksOf('popular-2.example')]).toEqual([
      50, 50, 50,
    ]);
    expect(clicksOf('popular-3.example')).toBeUndefined();
    expect(clicksOf('other')).toBeGreaterThan(3000);
    expect(today!.humans).toBe(4 * 2050);
  });
});
