import { afterEach, describe, expect, it, vi } from 'vitest';
import { clicksIn, deliver, holdQueue } from '../support/clicks.ts';
import { openManager } from '../support/manage.ts';
import { seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { ask, clicked } from '../support/stats.ts';
import { byPerson, ledTo, lock } from '../support/visits.ts';

/** What brings visitors, from their URL to what an owner sees. */

afterEach(() => void vi.restoreAllMocks());

const open = async () => openManager(await seedTenant());

/** Visits a link with each of these queries, and counts the clicks. */
async function visit(id: string, ...queries: readonly string[]): Promise<(readonly [number, string | null])[]> {
  const held = holdQueue();
  const responses = [];
  for (const query of queries) responses.push(ledTo(await openIsolate()(`/${id}${query}`, byPerson())));
  expect(clicksIn(held)).toBe(queries.length);
  await deliver(held);
  return responses;
}

describe('the source of a visit', () => {
  it('the source of a visit is counted, never that of the destination, and is a breakdown and a filter', async () => {
    const { tenant, make } = await open();
    const id = await make({ url: 'https://example.com/?utm_source=owner&utm_medium=owned&ref=own' });
    const landed = [302, 'https://example.com/?utm_source=owner&utm_medium=owned&ref=own'];
    const queries = [
      '',
      '?via=qr',
      '?via=qr&utm_campaign=May',
      '?utm_source=News&utm_medium=email&utm_campaign=May',
      '?ref=hn',
      '?via=app',
      '?utm_source=qr',
    ];
    expect(await visit(id, ...queries)).toEqual(queries.map(() => landed));
    const rows = async (query: string) =>
      Object.fromEntries(clicked(await ask(tenant, `/v1/links/${id}/stats?${query}`)));
    expect(await rows('by=via')).toEqual({ link: 2, qr: 2, news: 1, hn: 1, other: 1 });
    expect(await rows('by=utm_medium')).toEqual({ null: 6, email: 1 });
    expect(await rows('by=utm_campaign')).toEqual({ null: 5, may: 2 });
    expect(await rows('by=utm_campaign&via=QR')).toEqual({ null: 1, may: 1 });
    expect(await rows('by=via&utm_campaign=MAY')).toEqual({ qr: 1, news: 1 });
    expect(await rows('by=via&utm_medium=null&via=link&via=hn')).toEqual({ link: 2, hn: 1 });
    for (const path of ['/v1/stats?', '/v1/stats?by=via&']) {
      const { body } = await ask(tenant, `${path}via=qr`);
      expect(body['total']).toBe(2);
    }
  });

  it('the source of a visit is in CSV, where a formula of a visitor is a text', async () => {
    const { tenant, make } = await open();
    const id = await make();
    await visit(id, `?utm_source=${encodeURIComponent('=HYPERLINK("https://evil.example")')}`);
    const headers = { 'X-API-Key': tenant.apiKey };
    const response = await call(`/v1/links/${id}/stats.csv?by=via`, { headers });
    expect(await response.text()).toBe(
      `"via","total","humans","bots","previews"\r\n"'=hyperlink(""https://evil.example"")",1,1,0,0\r\n`,
    );
  });

  it('the source of a visit stays with a password, which is asked for in between', async () => {
    const { tenant, make } = await open();
    const id = await make();
    await lock(id, 'opens sesame');
    const isolate = openIsolate();
    const form = await (await isolate(`/${id}?via=qr`, byPerson())).text();
    const action = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const body = new URLSearchParams({ password: 'opens sesame' });
    const posted = await isolate(action, { method: 'POST', body, ...byPerson() });
    const [status, location] = ledTo(posted);
    expect([status, location]).toEqual([303, `/${id}?via=qr`]);
    const held = holdQueue();
    const cookie = posted.headers.get('Set-Cookie')!.split(';')[0]!;
    expect((await isolate(location!, byPerson({ Cookie: cookie }))).status).toBe(302);
    await deliver(held);
    expect(clicked(await ask(tenant, `/v1/links/${id}/stats?by=via`))).toEqual([['qr', 1]]);
  });

  it('the source of a visit is one of a link with rules, variants or a limit too', async () => {
    const { tenant, make } = await open();
    const rich = await make({ max_clicks: 5, redirect_status: 307 });
    await visit(rich, '?via=qr', '?utm_source=news');
    expect(clicked(await ask(tenant, `/v1/links/${rich}/stats?by=via`))).toEqual([
      ['news', 1],
      ['qr', 1],
    ]);
  });
});

describe('the marker of a QR code', () => {
  it.each([
    ['?via=qr', 'https://example.com/'],
    ['?via=qr&a=b', 'https://example.com/?a=b'],
    ['?a=b&via=qr', 'https://example.com/?a=b'],
    ['?via=QR', 'https://example.com/?via=QR'],
    ['?via=app', 'https://example.com/?via=app'],
    ['?via=qr&via=app', 'https://example.com/?via=app'],
    ['?via=%71r', 'https://example.com/?via=%71r'],
  ])('the marker of a QR code is not forwarded, unlike all other values: %s leads to %s', async (query, location) => {
    const { make } = await open();
    for (const mode of ['keep', 'override']) {
      const id = await make({ forward_query: mode });
      expect(ledTo(await openIsolate()(`/${id}${query}`, byPerson()))).toEqual([302, location]);
    }
  });

  it('the marker of a QR code is seen by no rule, unlike other values, in a redirect and where one is tried', async () => {
    const { make, ask: send } = await open();
    const rules = [
      { if: [{ type: 'query', name: 'via', in: ['qr'] }], url: 'https://example.com/qr' },
      { if: [{ type: 'query', name: 'via' }], url: 'https://example.com/via' },
    ];
    const id = await make({ rules, forward_query: 'keep' });
    const expected = [
      ['?via=qr', 'https://example.com/'],
      ['?via=app', 'https://example.com/via?via=app'],
    ] as const;
    for (const [query, location] of expected) {
      expect(ledTo(await openIsolate()(`/${id}${query}`, byPerson()))).toEqual([302, location]);
      const { body } = await send('POST', `/v1/links/${id}/resolve`, { query });
      expect(body).toMatchObject({ status: 302, location });
    }
  });
});
