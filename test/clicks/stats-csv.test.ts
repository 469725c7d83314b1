import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toCsv } from '../../src/clicks/stats-csv.ts';
import type { Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, cursorIn, foldClicks, seedClicked } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

async function csvOf(tenant: Tenant, path: string) {
  const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
  const { status, headers } = response;
  return {
    status,
    name: headers.get('Content-Disposition'),
    filteredFrom: headers.get('Filtered-From'),
    comparedFrom: headers.get('Compare-Filtered-From'),
    lines: (await response.text()).split('\r\n'),
  };
}

const seed = () =>
  seedClicked([
    { at: '2026-03-28T10:00:00Z', country: 'DE', referrer: 't.co' },
    { at: '2026-03-29T10:00:00Z', country: 'AT' },
    { at: '2026-03-30T10:00:00Z', country: 'DE' },
    { at: '2026-03-30T11:00:00Z', country: 'DE', referrer: 't.co' },
    { at: '2026-03-30T11:00:00Z' },
  ]);

it('guards every text that a spreadsheet would run as a formula', () => {
  const keys = ['=1+1', '=HYPERLINK("http://x/"&A2)\u{2028}y', '+1\u{2029}', '＝1+1', '－1', '＠SUM(1)', "'=1"];
  const lines = toCsv({
    by: 'campaign',
    rows: keys.map((key) => ({ key, total: 1, humans: 1, bots: 0, previews: 0 })),
  });
  const cells = Papa.parse<string[]>(lines.trimEnd()).data.map(([cell]) => cell);
  expect(cells).toEqual(['campaign', ...keys.map((key) => `'${key}`)]);
});

describe('the CSV of a link', () => {
  it('the CSV of a link follows the query: filters, breakdowns and time zones', async () => {
    const { tenant, link } = await seed();
    const path = `/v1/links/${link.id}/stats.csv?from=2026-03-29&to=2026-03-30`;
    expect(await csvOf(tenant, `${path}&country=DE&referrer=T.CO&visitor=human`)).toEqual({
      status: 200,
      name: 'attachment; filename="clicks-by-day.csv"',
      filteredFrom: null,
      comparedFrom: null,
      lines: ['"day","total","humans","bots","previews"', '"2026-03-29",0,0,0,0', '"2026-03-30",1,1,0,0', ''],
    });
    expect((await csvOf(tenant, `${path}&by=country&country=null&country=DE`)).lines).toEqual([
      '"country","total","humans","bots","previews"',
      '"DE",2,2,0,0',
      ',1,1,0,0',
      '',
    ]);
    const weekdays = await csvOf(tenant, `${path}&by=weekday&tz=Asia/Tokyo`);
    expect([weekdays.name, weekdays.lines.slice(0, 2)]).toEqual([
      'attachment; filename="clicks-by-weekday.csv"',
      ['"weekday","total","humans","bots","previews"', '"mon",3,3,0,0'],
    ]);
  });

  it('the CSV of a link has as many rows as requested, and continues after the cursor of the JSON', async () => {
    const { tenant, link } = await seed();
    const query = 'by=country&limit=2';
    const json = await ask(tenant, `/v1/links/${link.id}/stats?${query}`);
    const csv = `/v1/links/${link.id}/stats.csv?${query}`;
    expect((await csvOf(tenant, csv)).lines).toEqual([
      '"country","total","humans","bots","previews"',
      '"DE",3,3,0,0',
      ',1,1,0,0',
      '',
    ]);
    expect((await csvOf(tenant, `${csv}&cursor=${cursorIn(json.body)}`)).lines).toEqual([
      '"country","total","humans","bots","previews"',
      '"AT",1,1,0,0',
      '',
    ]);
  });

  it('the CSV of a link has the compared rows beside the others', async () => {
    const { tenant, link } = await seed();
    const path = `/v1/links/${link.id}/stats.csv?from=2026-03-30&to=2026-03-31&compare=previous`;
    const compared = (by: string) =>
      ['', 'compared_']
        .flatMap((before) => [by, 'total', 'humans', 'bots', 'previews'].map((name) => `"${before}${name}"`))
        .join(',');
    expect((await csvOf(tenant, path)).lines).toEqual([
      compared('day'),
      '"2026-03-30",3,3,0,0,"2026-03-28",1,1,0,0',
      '"2026-03-31",0,0,0,0,"2026-03-29",1,1,0,0',
      '',
    ]);
    expect((await csvOf(tenant, `${path}&by=country`)).lines).toEqual([
      compared('country'),
      '"DE",2,2,0,0,"DE",1,1,0,0',
      ',1,1,0,0,,0,0,0,0',
      '',
    ]);
  });

  it('the CSV of a link leaves cells empty where one of two days has an hour more', async () => {
    const { tenant, link } = await seed();
    const range = 'from=2026-03-29&to=2026-03-29&tz=Europe/Vienna&by=hour&compare=previous';
    const { lines } = await csvOf(tenant, `/v1/links/${link.id}/stats.csv?${range}`);
    expect([lines.length, lines[1], lines[2]]).toEqual([
      26,
      ',,,,,"2026-03-28T00:00:00+01:00",0,0,0,0',
      '"2026-03-29T00:00:00+01:00",0,0,0,0,"2026-03-28T01:00:00+01:00",0,0,0,0',
    ]);
  });

  it('the CSV of a link says in its headers from when on it is filtered', async () => {
    const days = ['2025-12-24', '2025-12-26', '2026-03-30'];
    const { tenant, link } = await seedClicked(days.map((day) => ({ at: `${day}T10:00:00Z`, country: 'DE' })));
    await foldClicks(tenant.clientId);
    const path = `/v1/links/${link.id}/stats.csv?by=country&country=DE`;
    expect(await csvOf(tenant, `${path}&from=2025-12-20&to=2025-12-31`)).toEqual({
      status: 200,
      name: 'attachment; filename="clicks-by-country.csv"',
      filteredFrom: '2025-12-25',
      comparedFrom: null,
      lines: ['"country","total","humans","bots","previews"', '"DE",1,1,0,0', ''],
    });
    expect(await csvOf(tenant, `${path}&from=2026-03-30&to=2026-03-31&compare=2025-12-24`)).toMatchObject({
      filteredFrom: null,
      comparedFrom: '2025-12-25',
    });
    const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey, Origin: 'https://example.com' } });
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Filtered-From,');
  });
});
