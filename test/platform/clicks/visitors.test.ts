import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHROME, deliver, FIREFOX, follow, holdQueue } from '../../support/clicks.ts';
import type { LinkRecord } from '../../support/seed.ts';
import { openShared, visitor } from '../../support/shared-statistics.ts';
import { openStatisticsPages, rowsOf, totalsIn } from '../../support/statistics-page.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function visit(link: LinkRecord, userAgents: readonly string[], headers: Record<string, string> = {}) {
  const held = holdQueue();
  for (const userAgent of userAgents) {
    await follow(link, { 'CF-Connecting-IP': '198.51.100.1', 'User-Agent': userAgent, ...headers });
  }
  await deliver(held);
  vi.restoreAllMocks();
}

/** Reads the number of the tile, its change, and the sentence about it. */
const tileOf = (page: string): string[] | null => {
  const [, ...tile] = totalsIn(page).find(([title]) => title === 'Daily visitors') ?? [];
  if (tile.length === 0) return null;
  const [, note] = /<p class="quiet">(Daily visitors [^<]*)<\/p>/.exec(page) ?? [];
  return note === undefined ? tile : [...tile, note];
};

describe('the tile of visitors', () => {
  it('the tile of visitors has the people a day, summed, on the overview, the page of a link and its public page', async () => {
    // A session does not last from one day to the next.
    vi.setSystemTime('2026-05-21T12:00:00Z');
    const { browse, link, path, address, caller } = await openShared();
    vi.setSystemTime('2026-05-20T12:00:00Z');
    await visit(link, [CHROME, CHROME, FIREFOX]);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, [CHROME]);
    for (const page of [`/platform/c/${caller.clientId}`, path]) {
      expect(tileOf(await (await browse(page)).text()), page).toEqual(['3']);
    }
    expect(tileOf(await (await visitor(address)).text())).toEqual(['3']);
  });

  it('the tile of visitors is compared by the days that are over', async () => {
    vi.setSystemTime('2026-05-22T12:00:00Z');
    const { link, read } = await openStatisticsPages([]);
    vi.setSystemTime('2026-05-20T12:00:00Z');
    await visit(link, [CHROME]);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, [CHROME, FIREFOX]);
    vi.setSystemTime('2026-05-22T12:00:00Z');
    await visit(link, [CHROME]);
    const query = (from: number, to: number) => `?from=2026-05-${from}&to=2026-05-${to}&compare=previous`;
    expect(tileOf(await read(query(21, 21)))).toEqual(['2', '+100%']);
    expect(tileOf(await read(query(21, 22)))).toEqual(['3', 'new']);
    expect(tileOf(await read(query(22, 22)))).toEqual(['1']);
  });

  it('the tile of visitors shows neither a rise nor a fall where there are as many as before', async () => {
    vi.setSystemTime('2026-05-22T12:00:00Z');
    const { link, read } = await openStatisticsPages([]);
    for (const day of [19, 20, 21]) {
      vi.setSystemTime(`2026-05-${day}T12:00:00Z`);
      await visit(link, day === 21 ? [CHROME, FIREFOX] : [CHROME]);
    }
    vi.setSystemTime('2026-05-22T12:00:00Z');
    const classesOf = async (day: number) => {
      const page = await read(`?from=2026-05-${day}&to=2026-05-${day}&compare=previous`);
      return new Set([...page.matchAll(/<small class="(change[^"]*)"/g)].map(([, name]) => name));
    };
    expect([...(await classesOf(20))]).toEqual(['change']);
    expect([...(await classesOf(21))]).toContain('change up');
  });

  it('the tile of visitors is drawn by day, and compared in the chart', async () => {
    vi.setSystemTime('2026-05-22T12:00:00Z');
    const { link, read } = await openStatisticsPages([]);
    vi.setSystemTime('2026-05-18T12:00:00Z');
    await visit(link, [CHROME]);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(link, [CHROME, FIREFOX, CHROME]);
    vi.setSystemTime('2026-05-22T12:00:00Z');
    await visit(link, [CHROME]);
    const page = await read('?from=2026-05-20&to=2026-05-22&compare=previous');
    expect(rowsOf(page, 'Clicks by day')).toEqual([
      ['22 May 2026 (so far)', '1', '0', '0', '1', '0 on 19 May 2026'],
      ['21 May 2026', '3', '0', '0', '2', '1 on 18 May 2026'],
      ['20 May 2026', '0', '0', '0', '0', '0 on 17 May 2026'],
    ]);
    expect(page).toContain('Days in UTC');
  });

  it('the line of the days before is of whole days for visitors and scans, and until the same hour for visits', async () => {
    vi.setSystemTime('2026-05-22T12:00:00Z');
    const { link, read } = await openStatisticsPages([]);
    vi.setSystemTime('2026-05-19T12:00:00Z');
    await visit(link, [CHROME]);
    vi.setSystemTime('2026-05-22T12:00:00Z');
    await visit(link, [CHROME]);
    const legend = async (graph: string) =>
      /17 May 2026 to 19 May 2026( until [^<]*)?/.exec(
        await read(`?from=2026-05-20&to=2026-05-22&compare=previous&graph=${graph}`),
      )?.[1];
    expect([await legend('visitors'), await legend('qr')]).toEqual([undefined, undefined]);
    expect(await legend('visits')).toBe(' until 19 May 2026, 13:00 UTC');
  });

  it('the tile of visitors is not there with a filter', async () => {
    const { link, read } = await openStatisticsPages([]);
    await visit(link, [CHROME]);
    expect(tileOf(await read(''))).toEqual(['1']);
    expect(tileOf(await read('?visitor=human'))).toBeNull();
  });

  it('the tile of visitors says since when visitors are counted, and shows no number where none is known', async () => {
    const { link, read, caller } = await openStatisticsPages([]);
    await visit(link, [CHROME]);
    await runInDurableObject(env.STATISTICS.getByName(caller.clientId), (_object, { storage: { sql } }) => {
      sql.exec(`INSERT INTO state (name, value) VALUES ('visitors_from', ?1)`, Date.parse('2026-05-19') / 86_400_000);
    });
    expect(tileOf(await read(''))).toEqual(['1', 'Daily visitors are counted since 19 May 2026.']);
    await runInDurableObject(env.STATISTICS.getByName(caller.clientId), (_object, { storage: { sql } }) => {
      sql.exec(`UPDATE state SET value = value + 5 WHERE name = 'visitors_from'`);
    });
    expect(tileOf(await read(''))).toEqual(['–', 'Daily visitors are not known for these days.']);
  });

  it('the tile of visitors has no zero for people who asked not to be tracked', async () => {
    const { link, read } = await openStatisticsPages([]);
    await visit(link, [CHROME], { 'Sec-GPC': '1' });
    expect(tileOf(await read(''))).toEqual([
      '–',
      'Daily visitors are not counted: these people asked not to be tracked.',
    ]);
  });
});
