import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, GOOGLEBOT, logged, packOf, SLACK } from '../support/clicks.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { manyLinks } from '../support/link-lists.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant, type LinkRecord, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask } from '../support/stats.ts';
import { countTrips } from '../support/trips.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Row {
  readonly id: string;
  readonly clicks: number | null;
  readonly humans: number | null;
  readonly last_click_at: string | null;
}

const MINUTE_MS = 60_000;

/** Links of a tenant with so many clicks, the later ones clicked later; and one of another tenant. */
async function seed(clicks: readonly number[], fields: Readonly<Record<string, string>> = {}) {
  const [tenant, stranger] = [await seedTenant(), await seedTenant()];
  await deliver([packOf(await seedLink(stranger), 1000)]);
  const links: LinkRecord[] = [];
  for (const [index, count] of clicks.entries()) {
    vi.setSystemTime(Date.now() + MINUTE_MS);
    const link = await seedLink(tenant, index % 2 === 0 ? fields : {});
    links.push(link);
    if (count > 0) await deliver([packOf(link, [{ clicks: count }])]);
  }
  return { tenant, links, ids: links.map(({ id }) => id) };
}

async function list(tenant: Tenant, query: string) {
  const { status, body } = await ask(tenant, `/v1/links?${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as unknown as { links: Row[]; cursor: string | null; scanned_to: string | null };
}

async function all(tenant: Tenant, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(tenant, `${query}${cursor && `&cursor=${cursor}`}`);
    rows.push(...page.links);
    ({ cursor } = page);
  }
  return rows;
}

describe('the list of links', () => {
  it('the list of links says of each link how often it was clicked, and when last', async () => {
    const { tenant, ids } = await seed([3, 0, 1]);
    const { links } = await list(tenant, '');
    expect(links.map(({ id, clicks, last_click_at }) => [id, clicks, last_click_at])).toEqual([
      [ids[2], 1, '2026-05-20T12:03:00.000Z'],
      [ids[1], 0, null],
      [ids[0], 3, '2026-05-20T12:01:00.000Z'],
    ]);
  });

  it('the list of links has its numbers from one call of the object a page', async () => {
    const { tenant } = await seed([1, 1, 1]);
    let calls = 0;
    replaceInObjects('totals', (totals) => (...args) => {
      calls += 1;
      return totals(...args);
    });
    await list(tenant, '');
    expect(calls).toBe(1);
  });

  it('the list of links counts the clicks that were carried from version 1.2.0', async () => {
    const { tenant, links } = await seed([1, 0]);
    await carryClicks(links[0]!, { days: 2, humans: 2, bots: 1 });
    const clicks = async (query: string) => (await list(tenant, query)).links.map((row) => row.clicks);
    expect(await clicks('')).toEqual([0, 7]);
    expect(await clicks('sort=clicks')).toEqual([7, 0]);
  });

  it('the list of links has no clicks if the statistics do not respond, and the order by clicks is refused', async () => {
    const { tenant } = await seed([1]);
    const problems = logged();
    for (const method of ['totals', 'rank'] as const)
      replaceInObjects(method, () => () => Promise.reject(OBJECT_FAILURE));
    replaceInObjects('totals', () => () => Promise.reject(OBJECT_FAILURE), tenant.clientId);
    expect((await list(tenant, '')).links).toMatchObject([{ clicks: null, humans: null, last_click_at: null }]);
    expect(problems()).toMatchObject([{ event: 'statistics_unknown', client_id: tenant.clientId }]);
    replaceInObjects('rank', () => () => Promise.reject(OBJECT_FAILURE), tenant.clientId);
    const response = await call('/v1/links?sort=clicks', { headers: { 'X-API-Key': tenant.apiKey } });
    expect([response.status, response.headers.get('Retry-After'), await response.json()]).toEqual([
      503,
      '5',
      {
        result: 'Failed',
        error: 'store_unavailable: The click statistics are temporarily unavailable. Try again in a few seconds.',
      },
    ]);
  });
});

describe('the order of the list of links', () => {
  it('the order of the list of links is by clicks, then links without clicks, newest first', async () => {
    const { tenant, ids } = await seed([1, 0, 5, 0, 3]);
    for (const limit of [1, 2, 3, 100]) {
      const rows = await all(tenant, `sort=clicks&limit=${limit}`);
      expect(rows.map(({ id, clicks }) => [id, clicks])).toEqual([
        [ids[2], 5],
        [ids[4], 3],
        [ids[0], 1],
        [ids[3], 0],
        [ids[1], 0],
      ]);
    }
  });

  it('the order of the list of links is by people or by all clicks, with both numbers, then links without such clicks, newest first', async () => {
    const { tenant, links, ids } = await seed([2, 3, 0, 0, 1]);
    await deliver([
      packOf(links[0]!, [{ clicks: 8, userAgent: GOOGLEBOT }]),
      packOf(links[2]!, [
        { clicks: 4, userAgent: SLACK },
        { clicks: 5, userAgent: GOOGLEBOT },
      ]),
    ]);
    const orders = {
      humans: [
        [ids[1], 3, 3],
        [ids[0], 2, 10],
        [ids[4], 1, 1],
        [ids[3], 0, 0],
        [ids[2], 0, 9],
      ],
      clicks: [
        [ids[0], 2, 10],
        [ids[2], 0, 9],
        [ids[1], 3, 3],
        [ids[4], 1, 1],
        [ids[3], 0, 0],
      ],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      for (const limit of [1, 2, 3, 100]) {
        const rows = await all(tenant, `sort=${sort}&limit=${limit}`);
        expect(rows.map(({ id, humans, clicks }) => [id, humans, clicks])).toEqual(expected);
      }
    }
    // A link that only bots and previews have opened has had a last click all the same.
    const rows = await all(tenant, 'sort=humans');
    expect(rows.at(-1)).toMatchObject({ id: ids[2], last_click_at: '2026-05-20T12:05:00.000Z' });
    expect(rows.at(-2)).toMatchObject({ id: ids[3], last_click_at: null });
    expect(await list(tenant, '')).toMatchObject({ links: [{ humans: 1 }, { humans: 0 }, { humans: 0 }, {}, {}] });
  });

  it('the order of the list of links by people counts those that were carried from version 1.2.0', async () => {
    const { tenant, links, ids } = await seed([3, 1]);
    await carryClicks(links[0]!, { days: 2, humans: 0, bots: 50 });
    await carryClicks(links[1]!, { days: 2, humans: 2, bots: 0 });
    expect((await all(tenant, 'sort=humans')).map(({ id, humans, clicks }) => [id, humans, clicks])).toEqual([
      [ids[1], 5, 5],
      [ids[0], 3, 103],
    ]);
  });

  it('the order of the list of links is by the last click', async () => {
    const { tenant, links, ids } = await seed([1, 1, 0]);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await deliver([packOf(links[0]!, 1)]);
    expect((await all(tenant, 'sort=last_click&limit=1')).map(({ id }) => id)).toEqual([ids[0], ids[1], ids[2]]);
  });

  it('the order of the list of links holds with filters, and leaves out deleted links', async () => {
    const { tenant, ids } = await seed([1, 4, 2, 0, 0, 3], { campaign_name: 'Spring' });
    expect((await all(tenant, 'sort=clicks&limit=1&campaign_name=Spring')).map(({ id }) => id)).toEqual([
      ids[2],
      ids[0],
      ids[4],
    ]);
    await call(`/v1/links/${ids[2]}`, { method: 'DELETE', headers: { 'X-API-Key': tenant.apiKey } });
    expect((await all(tenant, 'sort=clicks&campaign_name=Spring')).map(({ id }) => id)).toEqual([ids[0], ids[4]]);
    expect((await all(tenant, 'sort=clicks&state=deleted')).map(({ id, clicks }) => [id, clicks])).toEqual([
      [ids[2], 2],
    ]);
  });

  it('the order of the list of links examines at most 500 links a page, and says how far it has come', async () => {
    const { tenant, links } = await seed([1]);
    const [link] = links as [LinkRecord];
    // Links that were removed, as 30 days after their deletion, whose clicks the client keeps.
    for (let i = 0; i < 6; i++) {
      const gone = Array.from({ length: 100 }, (_, n) => packOf({ ...link, id: `gone-${i}-${n}` }, [{ clicks: 2 }]));
      await deliver(gone);
    }
    const first = await list(tenant, 'sort=clicks');
    expect([first.links, typeof first.cursor]).toEqual([[], 'string']);
    const next = await list(tenant, `sort=clicks&cursor=${first.cursor}`);
    expect(next).toMatchObject({ links: [{ id: link.id, clicks: 1 }], cursor: null, scanned_to: null });
  });

  it.each(['sort=clicks'])(
    'the order of the list of links examines as many where links have clicks: %s',
    async (query) => {
      const { tenant, links } = await seed([0]);
      const ids = await manyLinks(tenant, 1200, () => 'https://example.com/');
      for (let from = 0; from < ids.length; from += 400) {
        const packs = ids.slice(from, from + 400).map((id) => packOf({ ...links[0]!, id }, 1));
        await deliver(packs);
      }
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null; pages++) {
        const trips = await countTrips();
        const page = await list(tenant, `${query}&limit=100${cursor && `&cursor=${cursor}`}`);
        expect(trips().d1).toBeLessThan(16);
        ({ cursor } = page);
        if (cursor !== null) expect(page.scanned_to).toEqual(expect.any(String));
      }
      expect(pages).toBeGreaterThan(3);
    },
  );

  it.each([
    ['sort=name', 'invalid_sort: sort must be one of created, clicks, humans, last_click.'],
    [
      'sort=clicks&cursor=nonsense',
      'invalid_cursor: cursor is not valid for this list: send it with the same filters as before, or start without a cursor.',
    ],
  ])('the order of the list of links is refused with 400 and a sentence: %s', async (query, error) => {
    expect(await ask(await seedTenant(), `/v1/links?${query}`)).toEqual({
      status: 400,
      body: { result: 'Failed', error },
    });
  });

  it('the order of the list of links says that the database is unavailable, and nothing of a change, whichever round trip fails', async () => {
    const { tenant, links } = await seed([1, 0]);
    await carryClicks(links[0]!, { days: 1, humans: 2, bots: 1 });
    const sentences: unknown[] = [];
    for (let last = 0; last < 6; last++) {
      const batch = env.DB.batch.bind(env.DB);
      let calls = 0;
      vi.spyOn(env.DB, 'batch').mockImplementation((statements) =>
        calls++ < last ? batch(statements) : Promise.reject(new Error('D1_ERROR: Network connection lost.')),
      );
      const { status, body } = await ask(tenant, '/v1/links?sort=clicks');
      vi.restoreAllMocks();
      if (status !== 200) sentences.push(body['error']);
    }
    expect(sentences.length).toBeGreaterThan(2);
    expect([...new Set(sentences)]).toEqual([
      'store_unavailable: The database is temporarily unavailable. Try again in a few seconds.',
    ]);
  });

  it('the order of the list of links has cursors of its own', async () => {
    const { tenant } = await seed([1, 2, 3]);
    const { cursor } = await list(tenant, 'sort=clicks&limit=1');
    for (const query of ['', 'sort=last_click&', 'sort=humans&'])
      expect((await ask(tenant, `/v1/links?${query}cursor=${cursor}`)).status).toBe(400);
  });
});
