import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHROME, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { byPerson, fromEachStore, ledTo, lock, setColumns } from '../support/visits.ts';

/** Links that are more than plain ones: what decides first, with which status, and from when to when they lead on. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const SOON = () => new Date(Date.now() + 3_600_000).toISOString();
const OVER = 'https://example.com/over';

const HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

describe('redirect_status', () => {
  it.each([301, 302, 307, 308])('%s is that of the redirect, for GET and HEAD, from every store', async (status) => {
    const manager = await open();
    const id = await manager.make({ url: 'https://example.com/a?b#c', redirect_status: status });
    const responses = await fromEachStore(`/${id}`);
    const head = await openIsolate()(`/${id}`, { method: 'HEAD' });
    for (const [store, response] of Object.entries({ ...responses, head })) {
      expect([store, response.status, Object.fromEntries(response.headers), await response.text()]).toEqual([
        store,
        status,
        { ...HEADERS, location: 'https://example.com/a?b#c' },
        '',
      ]);
    }
  });

  it('costs no store once the link is remembered', async () => {
    const manager = await open();
    const id = await manager.make({ redirect_status: 307 });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    expect((await isolate(`/${id}`)).status).toBe(307);
    const trips = countTrips();
    expect((await isolate(`/${id}`)).status).toBe(307);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });
});

describe('a link before its start', () => {
  it('is answered like an unknown one, from every store', async () => {
    const manager = await open();
    const id = await manager.make({ starts_at: SOON() });
    const unknown = await openIsolate()('/no-such-link', byPerson());
    const whole = async (response: Response) => [
      response.status,
      Object.fromEntries(response.headers),
      await response.text(),
    ];
    const expected = await whole(unknown);
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`)))
      expect([store, ...(await whole(response))]).toEqual([store, ...expected]);
  });

  it('refuses a form like an unknown one, also if it has a password', async () => {
    const manager = await open();
    const id = await manager.make({ starts_at: SOON() });
    await lock(id, 'open sesame');
    const init = { method: 'POST', body: new URLSearchParams({ password: 'open sesame' }) };
    for (const path of ['/no-such-link', `/${id}`])
      expect([path, (await call(path, init)).status]).toEqual([path, 405]);
  });

  it('leads to the page that the domain has for unknown links', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await env.DB.prepare(`UPDATE domains SET not_found_url = 'https://example.com/lost' WHERE host = ?`)
      .bind(host)
      .run();
    await manager.make({ slug: 'soon', custom_domain: host, starts_at: SOON() });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    const held = holdQueue();
    for (const path of ['soon', 'unknown'])
      expect(ledTo(await isolate(`https://${host}/${path}`, byPerson()))).toEqual([302, 'https://example.com/lost']);
    expect(held).toEqual([]);
    const trips = countTrips();
    expect(ledTo(await isolate(`https://${host}/soon`))).toEqual([302, 'https://example.com/lost']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('leads there too if it comes from KV', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await env.DB.prepare(`UPDATE domains SET not_found_url = 'https://example.com/lost' WHERE host = ?`)
      .bind(host)
      .run();
    const id = await manager.make({ slug: 'soon', custom_domain: host, starts_at: SOON() });
    const forgetful = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 2; visit++) await forgetful(`https://${host}/soon`);
    // The database would lead on.
    await setColumns(id, { starts_at: null });
    expect(ledTo(await openIsolate()(`https://${host}/soon`))).toEqual([302, 'https://example.com/lost']);
  });

  it('begins at its very millisecond, also in memory', async () => {
    const manager = await open();
    const startsAt = Date.now() + 5000;
    const id = await manager.make({ starts_at: new Date(startsAt).toISOString() });
    expect((await call(`/${id}`)).status).toBe(404);
    vi.setSystemTime(startsAt - 1);
    expect((await call(`/${id}`)).status).toBe(404);
    vi.setSystemTime(startsAt);
    expect((await call(`/${id}`)).status).toBe(302);
  });
});

describe('expired_url', () => {
  const expired = { expires_at: Date.now() - 1 };

  it('is where an expired link leads, by a plain redirect that is no click, from every store', async () => {
    const manager = await open();
    const id = await manager.make({ expired_url: OVER, redirect_status: 308, forward_query: 'override' });
    await setColumns(id, expired);
    const held = holdQueue();
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}?a=1`))) {
      expect([store, response.status, Object.fromEntries(response.headers)]).toEqual([
        store,
        302,
        { ...HEADERS, location: OVER },
      ]);
    }
    const head = await call(`/${id}`, { method: 'HEAD' });
    expect(ledTo(head)).toEqual([302, OVER]);
    expect(packsOf(held, id)).toEqual([]);
  });

  it('is not where a link leads that its owner has disabled or deleted', async () => {
    const manager = await open();
    for (const column of ['disabled_at', 'deleted_at']) {
      const id = await manager.make({ expired_url: OVER });
      await setColumns(id, { ...expired, [column]: 1 });
      expect([column, ...ledTo(await call(`/${id}`))]).toEqual([column, 410, null]);
    }
  });

  it('is 403 if its host is blocked, and changes nothing before the end', async () => {
    const manager = await open();
    const id = await manager.make({ url: 'https://example.com/', expired_url: 'https://bad-end.example/' });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-end.example', 1)`).run();
    expect(ledTo(await openIsolate()(`/${id}`))).toEqual([302, 'https://example.com/']);
    await setColumns(id, expired);
    const response = await openIsolate()(`/${id}`);
    expect([...ledTo(response), await response.json()]).toEqual([
      403,
      null,
      {
        result: 'Failed',
        error: 'link_blocked: The operator of this service has blocked the host that this link leads to.',
      },
    ]);
  });

  it('is where the link leads after its end although its own host is blocked', async () => {
    const manager = await open();
    const id = await manager.make({ url: 'https://bad-start.example/', expired_url: OVER });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-start.example', 1)`).run();
    expect((await openIsolate()(`/${id}`)).status).toBe(403);
    await setColumns(id, expired);
    expect(ledTo(await openIsolate()(`/${id}`))).toEqual([302, OVER]);
  });
});

describe('of two things that decide', () => {
  const FORM = '<h1>Enter the password</h1>';
  const PREVIEW = '<meta property="og:title" content="Shown" />';
  const preview = { title: 'Shown' };
  const rule = (type: string, value: string, url: string) => ({ if: [{ type, in: [value] }], url });
  const variants = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 }));

  interface Case {
    readonly first: string;
    readonly second: string;
    readonly fields: object;
    readonly columns?: Record<string, unknown>;
    readonly password?: string;
    readonly userAgent?: string;
    /** Whether a person has followed the link before. */
    readonly isUsed?: boolean;
    readonly expected: readonly [status: number, location: string | null, text?: string];
  }

  it.each<Case>([
    {
      first: 'a disabled link',
      second: 'its start',
      fields: { starts_at: '2999-01-01T00:00:00Z' },
      columns: { disabled_at: 1 },
      expected: [410, null],
    },
    {
      first: 'the start',
      second: 'the expiry',
      fields: { starts_at: '2999-01-01T00:00:00Z', expired_url: OVER },
      columns: { expires_at: 1 },
      expected: [404, null],
    },
    {
      first: 'the expiry',
      second: 'the password',
      fields: {},
      columns: { expires_at: 1 },
      password: 'open sesame',
      expected: [410, null],
    },
    {
      first: 'the password',
      second: 'a click limit that is used up',
      fields: { max_clicks: 1 },
      isUsed: true,
      password: 'open sesame',
      expected: [200, null, FORM],
    },
    {
      first: 'the password',
      second: 'the preview',
      fields: { preview },
      password: 'open sesame',
      userAgent: SLACK,
      expected: [200, null, FORM],
    },
    {
      first: 'a click limit that is used up',
      second: 'the preview',
      fields: { max_clicks: 1, preview },
      isUsed: true,
      userAgent: SLACK,
      expected: [410, null],
    },
    {
      first: 'a click limit that is used up',
      second: 'a blocked host',
      fields: { max_clicks: 1, expired_url: OVER },
      columns: { url: 'https://bad-order.example/' },
      isUsed: true,
      expected: [302, OVER],
    },
    {
      first: 'the preview',
      second: 'a rule for previews',
      fields: { preview, rules: [rule('visitor', 'preview', 'https://example.com/rule')] },
      userAgent: SLACK,
      expected: [200, null, PREVIEW],
    },
    {
      first: 'the preview',
      second: 'a blocked host',
      fields: { preview },
      columns: { url: 'https://bad-order.example/' },
      userAgent: SLACK,
      expected: [200, null, PREVIEW],
    },
    {
      first: 'the first rule that holds',
      second: 'a later one',
      fields: {
        rules: ['bot', 'human', 'human'].map((kind, index) => rule('visitor', kind, `https://example.com/${index}`)),
      },
      expected: [302, 'https://example.com/1'],
    },
    {
      first: 'a rule',
      second: 'a variant',
      fields: { rules: [rule('visitor', 'human', 'https://example.com/rule')], variants },
      expected: [302, 'https://example.com/rule'],
    },
    {
      first: 'a variant',
      second: 'the URL',
      fields: {
        rules: [rule('visitor', 'bot', 'https://example.com/rule')],
        variants: variants.map((each) => ({ ...each, url: 'https://example.com/variant' })),
      },
      expected: [302, 'https://example.com/variant'],
    },
  ])('$first comes before $second', async ({ fields, columns, password, userAgent = CHROME, isUsed, expected }) => {
    const manager = await open();
    await env.DB.prepare(
      `INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-order.example', 1) ON CONFLICT DO NOTHING`,
    ).run();
    const id = await manager.make(fields as Record<string, unknown>);
    if (isUsed === true) expect((await openIsolate()(`/${id}`, byPerson())).status).toBe(302);
    if (columns) await setColumns(id, columns);
    if (password !== undefined) await lock(id, password);
    const response = await openIsolate()(`/${id}`, { headers: { 'User-Agent': userAgent } });
    const [status, location, text = ''] = expected;
    expect([...ledTo(response), await response.text()]).toEqual([status, location, expect.stringContaining(text)]);
  });
});
