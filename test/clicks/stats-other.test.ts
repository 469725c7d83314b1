import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, clicked, cursorIn, foldClicks, seedClicked } from '../support/stats.ts';

/** Days with more values than they keep. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const at = '2026-03-30T10:00:00Z';

describe('a day with more than 200 referrers', () => {
  const seed = () =>
    seedClicked([
      ...Array.from({ length: 250 }, (_, i) => ({ at, referrer: `r${i}.example`, country: i % 2 === 0 ? 'DE' : 'AT' })),
      { at, referrer: 'popular.example', country: 'DE', clicks: 9 },
      { at, referrer: null, country: 'DE' },
    ]);

  it.each(['folded', 'not folded'])(
    'a day with more than 200 referrers names 200, counts the others as other, and filters them: %s',
    async (state) => {
      const { tenant } = await seed();
      if (state === 'folded') await foldClicks(tenant.clientId);
      const all = await ask(tenant, '/v1/stats?by=referrer');
      const rows = clicked(all);
      const others = new Map(rows).get('other')!;
      expect([all.body['total'], rows[0], new Map(rows).get('popular.example')]).toEqual([260, ['other', others], 9]);
      expect(rows.reduce((sum, [, total]) => sum + total, 0)).toBe(260);
      const total = async (query: string) => (await ask(tenant, `/v1/stats?${query}`)).body['total'];
      expect(await total('referrer=other')).toBe(others);
      expect(await total('referrer=other&referrer=null&referrer=popular.example')).toBe(others + 10);
      expect(((await total('country=DE')) as number) + ((await total('country=AT')) as number)).toBe(260);
      const named = rows.find(([key]) => key?.startsWith('r'))![0];
      expect(await total(`referrer=${named}`)).toBe(1);
      // On a page, the row of other clicks is ordered by its clicks, like all rows.
      const first = await ask(tenant, '/v1/stats?by=referrer&limit=1');
      expect(clicked(first)).toEqual([['other', others]]);
      const second = await ask(tenant, `/v1/stats?by=referrer&limit=1&cursor=${cursorIn(first.body)}`);
      expect(clicked(second)).toEqual([['popular.example', 9]]);
    },
  );
});

describe('a day with more combinations than it keeps', () => {
  it('a day with more combinations than it keeps keeps all sums, misses some clicks of the rarest, and counts none that does not fit', async () => {
    const languages = ['de', 'en', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'cs', 'da', 'sv', 'fi', 'hu', 'ro', 'el', 'tr'];
    const clicks = Array.from({ length: 2880 }, (_, i) => ({
      at,
      referrer: `r${i % 180}.example`,
      language: languages[Math.floor(i / 180)]!,
      country: i % 2 === 0 ? 'DE' : 'AT',
    }));
    const { tenant, link } = await seedClicked([...clicks, { at, referrer: 'r0.example', language: 'de', clicks: 50 }]);
    await foldClicks(tenant.clientId);
    const total = async (path: string) => (await ask(tenant, path)).body['total'] as number;
    expect(await total('/v1/stats')).toBe(2930);
    expect(new Map(clicked(await ask(tenant, '/v1/stats?by=referrer'))).get('r1.example')).toBe(16);
    expect(await total('/v1/stats?country=AT')).toBe(1440);
    expect(await total('/v1/stats?referrer=r0.example&language=de&country=null')).toBe(50);
    const rare = await total('/v1/stats?referrer=r1.example');
    expect(rare).toBeLessThanOrEqual(16);
    const lost = await total('/v1/stats?referrer=other');
    expect(lost).toBeGreaterThan(0);
    // A link keeps more of them.
    expect(await total(`/v1/links/${link.id}/stats?referrer=r1.example`)).toBe(16);
    expect(await total(`/v1/stats?by=link&referrer=r1.example`)).toBe(16);
  });
});
