import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seedLink, seedTenant, type Tenant } from '../support/seed.ts';
import { ask, clicked, cursorIn, foldClicks, humans, seedClicked, seedClicks } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const at = '2026-03-30T10:00:00Z';
const clicksFrom = (countries: Readonly<Record<string, number>>) =>
  Object.entries(countries).flatMap(([country, clicks]) => ({ at, country: country || null, clicks }));

async function readPages(tenant: Tenant, path: string, between: (page: number) => Promise<void> = async () => {}) {
  const pages: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null; cursor = cursorIn(pages.at(-1)!)) {
    const { status, body } = await ask(tenant, `${path}&cursor=${cursor}`);
    expect([path, status]).toEqual([path, 200]);
    pages.push(body);
    if (cursorIn(body) !== null) await between(pages.length);
  }
  return pages.map((body) => ({ ...body, rows: body['rows'] as { key: string | null; total: number }[] }));
}

const INVALID = {
  status: 400,
  body: {
    result: 'Failed',
    error:
      'invalid_cursor: cursor is not valid for this list: send it with the same filters as before, or start without a cursor.',
  },
};

describe('the rows of statistics', () => {
  it('the rows of statistics come in pages of so many, each with the sums of all', async () => {
    const { tenant } = await seedClicked(clicksFrom({ DE: 5, AT: 3, FR: 3, '': 3, CH: 1 }));
    const path = '/v1/stats?by=country&limit=2';
    const first = await ask(tenant, path);
    expect(first).toEqual({
      status: 200,
      body: {
        by: 'country',
        tz: 'UTC',
        from: '2026-03-02',
        to: '2026-03-31',
        filtered_from: null,
        visitors: { total: 0, from: '2026-03-02', to: '2026-03-31' },
        ...humans(15),
        rows: [
          { key: 'DE', ...humans(5) },
          { key: null, ...humans(3) },
        ],
        compare: null,
        cursor: expect.stringMatching(/^[\w-]+$/),
      },
    });
    const second = await ask(tenant, `${path}&cursor=${cursorIn(first.body)}`);
    expect(second.body).toEqual({
      ...first.body,
      rows: [
        { key: 'AT', ...humans(3) },
        { key: 'FR', ...humans(3) },
      ],
      cursor: expect.stringMatching(/^[\w-]+$/),
    });
    const third = await ask(tenant, `${path}&cursor=${cursorIn(second.body)}`);
    expect(third.body).toEqual({ ...first.body, rows: [{ key: 'CH', ...humans(1) }], cursor: null });
  });

  it.each([
    ['by=country&limit=3', [3, 1]],
    ['by=country&limit=4', [4]],
    ['by=country&limit=2', [2, 2]],
    ['by=country&limit=1000', [4]],
    ['by=country', [4]],
    ['by=day&from=2026-03-26&to=2026-03-31&limit=3', [3, 3]],
    ['by=hour&from=2026-03-30&to=2026-03-30&limit=10', [10, 10, 4]],
    ['by=weekday&limit=7', [7]],
    ['by=weekday&limit=6', [6, 1]],
    ['by=os&country=XX&limit=1', [0]],
  ])('the rows of statistics end with a page that has no cursor, also if it is full: %s', async (query, lengths) => {
    const { tenant } = await seedClicked(clicksFrom({ DE: 4, AT: 3, FR: 2, CH: 1 }));
    const pages = await readPages(tenant, `/v1/stats?${query}`);
    expect(pages.map(({ rows }) => rows.length)).toEqual(lengths);
    const whole = await ask(tenant, `/v1/stats?${query.replace(/&limit=\d+/, '')}`);
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.body['rows']);
  });

  it('the rows of statistics come once each, also if languages take their keys for the same', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const names = ['\u00c9t\u00e9', 'E\u0301te\u0301', 'a', 'a\u200b', 'A', '\u200b', 'null'];
    for (const name of names) await seedClicks({ ...link, campaign_name: name }, [{ at }]);
    await seedClicks(link, [{ at }]);
    const pages = await readPages(tenant, '/v1/stats?by=campaign&limit=1');
    const keys = pages.flatMap(({ rows }) => rows.map(({ key }) => key));
    expect([keys.length, new Set(keys)]).toEqual([8, new Set([...names, null])]);
  });

  it('the rows of statistics continue after the row of the cursor when clicks have come between two pages', async () => {
    const { tenant, link } = await seedClicked(clicksFrom({ DE: 9, AT: 7, FR: 5, CH: 3, IT: 1 }));
    const pages = await readPages(tenant, '/v1/stats?by=country&limit=2', async (page) => {
      // A row that was shown stays so, and a row with fewer clicks that is new is shown.
      if (page === 1) await seedClicks(link, clicksFrom({ AT: 20, ES: 2, IT: 3 }));
      if (page === 2) await foldClicks(tenant.clientId);
    });
    expect(pages.map(({ rows }) => rows.map(({ key, total }) => [key, total]))).toEqual([
      [
        ['DE', 9],
        ['AT', 7],
      ],
      [
        ['FR', 5],
        ['IT', 4],
      ],
      [
        ['CH', 3],
        ['ES', 2],
      ],
    ]);
    expect(pages.map((page) => (page as { total?: number }).total)).toEqual([25, 50, 50]);
  });

  it('the rows of statistics continue with the next hour when the first hours have lost their detail between two pages', async () => {
    const clicks = ['2026-03-23', '2026-03-24', '2026-03-30'].map((day) => ({ at: `${day}T10:00:00Z`, country: 'DE' }));
    const { tenant } = await seedClicked(clicks);
    await foldClicks(tenant.clientId);
    const path = '/v1/stats?by=hour&country=DE&from=2026-03-23&to=2026-03-30&limit=30';
    const pages = await readPages(tenant, path, async (page) => {
      if (page !== 1) return;
      vi.setSystemTime('2026-04-01T12:00:00Z');
      await foldClicks(tenant.clientId);
    });
    const keys = pages.flatMap(({ rows }) => rows.map(({ key }) => key));
    expect([keys.length, new Set(keys).size]).toEqual([8 * 24, 8 * 24]);
  });

  it('the rows of statistics continue where the clocks go back and an hour comes twice', async () => {
    const { tenant } = await seedClicked([{ at: '2025-10-26T00:30:00Z' }, { at: '2025-10-26T01:30:00Z' }]);
    const path = '/v1/stats?by=hour&from=2025-10-26&to=2025-10-26&tz=Europe/Vienna&limit=3';
    const pages = await readPages(tenant, path);
    expect(pages.flatMap(({ rows }) => clicked({ body: { rows } }))).toEqual([
      ['2025-10-26T02:00:00+02:00', 1],
      ['2025-10-26T02:00:00+01:00', 1],
    ]);
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(25);
  });

  it.each(['0', '-1', '1001', '10000', '1.5', '1e2', '٣', ' 5', '9'.repeat(8000)])(
    'the rows of statistics are refused to be so many: %.20s',
    async (limit) => {
      expect(await ask(await seedTenant(), `/v1/stats?limit=${encodeURIComponent(limit)}`)).toEqual({
        status: 400,
        body: { result: 'Failed', error: 'invalid_limit: limit must be a whole number from 1 to 1000.' },
      });
    },
  );
});

describe('a cursor', () => {
  it('a cursor is of one question: not of another breakdown, filter, range, comparison, link, campaign or client', async () => {
    const { tenant, link } = await seedClicked(clicksFrom({ DE: 4, AT: 3, FR: 2 }));
    const other = await seedLink(tenant);
    const range = 'from=2026-03-29&to=2026-03-31';
    const cursor = cursorIn((await ask(tenant, `/v1/stats?by=country&limit=1&${range}&link=${link.id}`)).body);
    const onwards = (path: string) => ask(tenant, `${path}&cursor=${cursor}`);
    const same = `/v1/stats?${range}&by=country&link=${link.id}`;
    for (const rest of ['', '&limit=1', '&limit=2', `&link=${link.id}`, '&tz=Asia/Tokyo'])
      expect((await onwards(same + rest)).status).toBe(200);
    for (const path of [
      `/v1/stats?${range}&by=device&link=${link.id}`,
      `/v1/stats?${range}&by=day&link=${link.id}`,
      `/v1/stats?from=2026-03-28&to=2026-03-31&by=country&link=${link.id}`,
      `/v1/stats?${range}&by=country`,
      `${same}&country=DE`,
      `${same}&link=${other.id}`,
      `${same}&compare=previous`,
      `${same}&campaign_name=Spring`,
      `/v1/stats?${range}&by=country&link=${other.id}`,
      `/v1/campaigns/Spring/stats?${range}&by=country&link=${link.id}`,
      `/v1/campaigns/Spring/stats?${range}&by=country`,
      `/v1/links/${link.id}/stats?${range}&by=country`,
      `/v1/links/${other.id}/stats?${range}&by=country`,
    ]) {
      expect([path, await onwards(path)]).toEqual([path, INVALID]);
    }
  });

  it.each(['x', 'null', 'W10', '%00', 'e30', 'x'.repeat(8000), 'WyIiLDAsIiJd'])(
    'a cursor that is none is refused: %.20s',
    async (cursor) => {
      expect(await ask(await seedTenant(), `/v1/stats?cursor=${cursor}`)).toEqual(INVALID);
    },
  );

  it('a cursor of another client shows nothing of that client', async () => {
    const [{ tenant }, other] = [
      await seedClicked(clicksFrom({ DE: 4, AT: 3 })),
      await seedClicked(clicksFrom({ CH: 1 })),
    ];
    const path = '/v1/stats?by=country&limit=1';
    const cursor = cursorIn((await ask(tenant, path)).body);
    const { body } = await ask(other.tenant, `${path}&cursor=${cursor}`);
    expect(body).toMatchObject({ total: 1, rows: [{ key: 'CH', ...humans(1) }], cursor: null });
  });
});
