import { runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Delivery, DeliveredProfile } from '../../src/statistics/append/delivery.ts';
import type { Summed } from '../../src/statistics/days/sums.ts';
import { STATISTICS_SCHEMA } from '../../src/statistics/schema.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { readPages, restoreElsewhere } from './support/backups.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from './support/statistics.ts';

/** What brought visitors, in an object: also beside rows and callers of version 1.3.0, which know nothing of it. */

afterEach(() => void vi.useRealTimers());

const LINK = { kind: 'link', name: 'link-1' } as const;

/** The people of each value, of all days. */
async function people({ ask }: Statistics, by: Summed, more: Parameters<Statistics['ask']>[0] = {}) {
  const days = await ask({ by: [by], subject: LINK, from: TODAY - 600, ...more });
  const sums: Record<string, number> = {};
  for (const { by: values } of days)
    for (const { value, humans } of values[by] ?? []) sums[value] = (sums[value] ?? 0) + humans;
  return sums;
}

const CLICKS: readonly TestClick[] = [
  { clicks: 5 },
  { via: 'qr', clicks: 4 },
  { via: 'news', utm_medium: 'email', utm_campaign: 'spring', clicks: 3 },
  { via: 'news', utm_medium: 'email', clicks: 2 },
];

const VIA = { link: 5, qr: 4, news: 5 };

/** A delivery as the Worker of version 1.3.0 sends it. */
function former(...clicks: readonly TestClick[]): Delivery {
  const delivery = deliveryOf(...clicks);
  return {
    ...delivery,
    profiles: delivery.profiles.map((profile) => profile.slice(0, 9) as unknown as DeliveredProfile),
  };
}

describe('the sources of clicks', () => {
  it('the sources of clicks are counted before and after a fold, and filtered', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(...CLICKS));
    for (const state of ['delivered', 'folded']) {
      expect([state, await people(statistics, 'via')]).toEqual([state, VIA]);
      expect(await people(statistics, 'utm_medium')).toEqual({ '': 9, email: 5 });
      expect(await people(statistics, 'utm_campaign')).toEqual({ '': 11, spring: 3 });
      expect(await people(statistics, 'country', { filters: { via: ['qr', 'link'] } })).toEqual({ AT: 9 });
      expect(await people(statistics, 'via', { filters: { utm_medium: ['email'] } })).toEqual({ news: 5 });
      expect(await people(statistics, 'via', { filters: { utm_campaign: [''] } })).toEqual({ link: 5, qr: 4, news: 2 });
      expect(await people(statistics, 'via', { subject: { kind: 'client' } })).toEqual(VIA);
      await statistics.fold();
    }
    await statistics.stub.append(deliveryOf({ via: 'qr' }));
    expect(await people(statistics, 'via')).toEqual({ ...VIA, qr: 5 });
  });

  it('the sources of clicks take no byte of a plain visit, two of a code, and at most four of most others', async () => {
    const bytesOf = async (click: TestClick) => {
      const { stub, rows, fold } = openStatistics();
      // The first click of a word stores it.
      await stub.append(deliveryOf(...Array.from({ length: 20 }, (_, n) => ({ referrer: `r${n}.example`, ...click }))));
      const [stored] = await rows('SELECT length(body) + length(sources) AS bytes FROM deliveries');
      await fold();
      const [folded] = await rows('SELECT max(length(clicks)) AS bytes FROM days');
      return [Number(stored!['bytes']), Number(folded!['bytes'])] as const;
    };
    const plain = await bytesOf({});
    const more = async (click: TestClick) => (await bytesOf(click)).map((bytes, index) => (bytes - plain[index]!) / 20);
    expect(await more({ via: 'qr' })).toEqual([2, 2]);
    expect(await more({ via: 'news', utm_medium: 'email', utm_campaign: 'spring' })).toEqual([4, 4]);
  });

  it('the sources of clicks are counted apart for 200 words of a link and day, without the service’s own', async () => {
    const statistics = openStatistics();
    const words = Array.from({ length: 230 }, (_, n): TestClick => ({ via: `word-${n}`, clicks: 300 - n }));
    await statistics.stub.append(deliveryOf(...words));
    await statistics.fold();
    await statistics.stub.append(deliveryOf({ via: 'late', clicks: 9 }, { via: 'qr' }, { via: 'link', clicks: 2 }));
    for (const state of ['delivered', 'folded']) {
      const { other, qr, link, ...visitors } = await people(statistics, 'via');
      expect([state, Object.keys(visitors).length, qr, link]).toEqual([state, 200, 1, 2]);
      expect(other).toBe(words.slice(200).reduce((sum, { clicks = 1 }) => sum + clicks, 9));
      expect(visitors['word-0']).toBe(300);
      await statistics.fold();
    }
  });

  it('the sources of clicks stay when facts lose their hours, and when only the sums of old days are left', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(...CLICKS));
    await statistics.fold();
    for (const days of [20, 200, 500]) {
      vi.setSystemTime(Date.now() + days * DAY_MS);
      await statistics.stub.append(deliveryOf({ link: 'link-2' }));
      await statistics.fold();
      const range = { from: TODAY - 1, to: TODAY + 1 };
      expect([days, await people(statistics, 'via', range)]).toEqual([days, VIA]);
      expect(await people(statistics, 'utm_campaign', range)).toEqual({ '': 11, spring: 3 });
      vi.useRealTimers();
    }
    expect(await statistics.rows('SELECT 1 FROM blocks')).not.toEqual([]);
  });

  it('the sources of clicks are in a backup', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(...CLICKS));
    await statistics.fold();
    await statistics.stub.append(deliveryOf({ via: 'qr' }, { via: 'fresh' }));
    const restored = await restoreElsewhere(await readPages(statistics));
    expect(await people(restored, 'via')).toEqual({ ...VIA, qr: 5, fresh: 1 });
  });
});

describe('clicks of version 1.3.0', () => {
  it('clicks of version 1.3.0 have no source that is known, before and after a fold', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(former({ clicks: 3 }));
    await statistics.stub.append(deliveryOf({ via: 'qr' }, {}));
    for (const state of ['delivered', 'folded']) {
      expect([state, await people(statistics, 'via')]).toEqual([state, { '': 3, qr: 1, link: 1 }]);
      expect(await people(statistics, 'utm_medium')).toEqual({ '': 5 });
      expect(await people(statistics, 'country', { filters: { via: [''] } })).toEqual({ AT: 3 });
      await statistics.fold();
    }
  });

  it('clicks of version 1.3.0 that its object has stored are read, and counted with new ones', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(former({ clicks: 3 }));
    await statistics.rows('UPDATE deliveries SET sources = NULL');
    await statistics.stub.append(deliveryOf({ via: 'qr' }));
    expect(await people(statistics, 'via')).toEqual({ '': 3, qr: 1 });
    await statistics.fold();
    expect(await people(statistics, 'via')).toEqual({ '': 3, qr: 1 });
  });

  it('clicks of version 1.3.0 in a backup of its object are read after a restore', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(former({ clicks: 3 }));
    const pages = (await readPages(statistics)).map(({ sections, ...page }) => ({
      ...page,
      sections: sections.map((section) => {
        if (section.table === 'state')
          return {
            ...section,
            rows: section.rows.map(([name, value]) => [
              name!,
              name === 'schema' ? String(STATISTICS_SCHEMA - 1) : value!,
            ]),
          };
        if (section.table !== 'deliveries') return section;
        const kept = section.columns.flatMap((name, index) => (name === 'sources' ? [] : [index]));
        return {
          ...section,
          columns: kept.map((index) => section.columns[index]!),
          rows: section.rows.map((row) => kept.map((index) => row[index]!)),
        };
      }),
    }));
    const restored = openStatistics();
    expect(await restored.stub.beginLoad(STATISTICS_SCHEMA - 1)).toBe(true);
    for (const { sections } of pages) expect(await restored.stub.load(sections)).toBeNull();
    await restored.stub.endLoad();
    await restored.stub.append(deliveryOf({ via: 'qr' }));
    expect(await people(restored, 'via')).toEqual({ '': 3, qr: 1 });
  });

  it('clicks of version 1.3.0 are known without their source in days with more facts than are kept', async () => {
    const statistics = openStatistics();
    const many = Array.from({ length: 6000 }, (_, n): TestClick => ({
      referrer: `r${n % 150}.example`,
      language: ['de', 'en', 'fr', 'it'][n % 4]!,
      browser: `b${n % 23}`,
    }));
    await statistics.stub.append(former(...many));
    await statistics.fold();
    // A day as version 1.3.0 stores it ends with its sums.
    await runInDurableObject(statistics.stub, async (_object, { storage: { sql } }) => {
      const { packDay, unpackDay } = await import('../../src/statistics/days/stored-day.ts');
      for (const { id, clicks } of sql.exec<{ id: number; clicks: ArrayBuffer }>('SELECT id, clicks FROM days')) {
        const { sums, ...day } = unpackDay(clicks);
        const kept = [...sums].filter(([by]) => !['via', 'utm_medium', 'utm_campaign'].includes(by));
        const [whole, withoutFacts] = [
          { ...day, sums: new Map(kept) },
          { ...day, facts: [], sums: new Map(kept) },
        ];
        // The sources of no facts are one byte, and those of unknown ones two each.
        const bytes = packDay(whole);
        expect(packDay(withoutFacts).at(-1)).toBe(1);
        sql.exec(
          'UPDATE days SET clicks = ?2 WHERE id = ?1',
          id,
          bytes.slice(0, bytes.length - 1 - 2 * day.facts.length),
        );
      }
    });
    expect(await people(statistics, 'via')).toEqual({ '': 6000 });
    await statistics.stub.append(deliveryOf({ via: 'qr', clicks: 7 }));
    await statistics.fold();
    expect(await people(statistics, 'via')).toEqual({ '': 6000, qr: 7 });
  });
});
