import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clicksIn, GOOGLEBOT, holdQueue, packsOf, SLACK } from '../support/clicks.ts';
import { open, type Manager } from '../support/manage.ts';
import { call, openIsolate } from '../support/service.ts';
import { byPerson, ledTo, PAGE_HEADERS } from '../support/visits.ts';

/** Links with a click limit. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const OVER = 'https://example.com/over';
const LED = [302, 'https://example.com/'];
const edit = ({ ask }: Manager, id: string, change: object) => ask('PATCH', `/v1/links/${id}`, change);

/** Makes every object of a limit fail, until `vi.restoreAllMocks`. */
const failLimits = () => {
  vi.spyOn(console, 'error').mockReturnValue();
  return vi.spyOn(env.LIMITS, 'getByName').mockImplementation(() => {
    throw new Error('Network connection lost.');
  });
};

describe('a link with a click limit', () => {
  it('a link with a click limit redirects exactly 125 of 500 people who come at once through two isolates', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 125 });
    const held = holdQueue();
    const isolates = [openIsolate(), openIsolate()] as const;
    const responses = await Promise.all(
      Array.from({ length: 500 }, (_, index) => isolates[index % 2 === 0 ? 0 : 1](`/${id}`, byPerson())),
    );
    const withStatus = (status: number) => responses.filter((response) => response.status === status).length;
    // On a busy machine an answer of the object may be lost: its visitor gets 503, and may have taken a click.
    const [led, gone, lost] = [withStatus(302), withStatus(410), withStatus(503)];
    expect([led + gone + lost, led <= 125, led + lost >= 125, gone <= 375]).toEqual([500, true, true, true]);
    expect(clicksIn(packsOf(held, id))).toBe(led);
    expect((await isolates[0](`/${id}`, byPerson())).status).toBe(410);
  });

  it('a link with a click limit leads to expired_url after the last click, which is no click', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1, expired_url: OVER });
    const held = holdQueue();
    const isolate = openIsolate();
    const outcomes = [];
    for (let visit = 0; visit < 3; visit++) outcomes.push(ledTo(await isolate(`/${id}`, byPerson())));
    expect(outcomes).toEqual([LED, [302, OVER], [302, OVER]]);
    expect(ledTo(await openIsolate()(`/${id}`, { method: 'HEAD', ...byPerson() }))).toEqual([302, OVER]);
    expect(clicksIn(packsOf(held, id))).toBe(1);
  });

  it('a link with a click limit is served from memory once all clicks are taken', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1 });
    const isolate = openIsolate();
    await isolate(`/${id}`, byPerson());
    expect((await isolate(`/${id}`, byPerson())).status).toBe(410);
    failLimits();
    expect((await isolate(`/${id}`, byPerson())).status).toBe(410);
  });

  it('a link with a click limit asks again after a minute, since a backup that was restored may have fewer clicks at the same revision', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1 });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    await isolate(`/${id}`, byPerson());
    expect((await isolate(`/${id}`, byPerson())).status).toBe(410);
    await env.LIMITS.getByName(id).load(null);
    expect((await isolate(`/${id}`, byPerson())).status).toBe(410);
    vi.setSystemTime(Date.now() + 60_000);
    expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual(LED);
  });

  it.each([
    ['a search engine', { headers: { 'User-Agent': GOOGLEBOT } }],
    ['a program without a name', {}],
    ['a messenger', { headers: { 'User-Agent': SLACK } }],
    ['HEAD', { method: 'HEAD', ...byPerson() }],
  ])('a link with a click limit gives %s no destination and takes no click for it', async (_, init) => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1, url: 'https://example.com/secret' });
    const held = holdQueue();
    const isolate = openIsolate();
    const response = await isolate(`/${id}`, init);
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, PAGE_HEADERS]);
    const text = await response.text();
    expect(text).not.toContain('example.com');
    expect(text.includes('<h1>Short link</h1>')).toBe(!('method' in init));
    expect(packsOf(held, id)).toEqual([]);
    expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual([302, 'https://example.com/secret']);
    expect(clicksIn(packsOf(held, id))).toBe(1);
    expect((await isolate(`/${id}`, init)).status).toBe(410);
  });

  it.each([
    { 'Sec-Purpose': 'prefetch;prerender' },
    { 'Sec-Purpose': 'Prefetch;anonymous-client-ip' },
    { Purpose: 'prefetch' },
    { Purpose: 'Preview' },
    { 'X-Purpose': 'preview' },
    { 'X-Purpose': 'instant' },
    { 'X-Purpose': 'preview', 'X-FB-HTTP-Engine': 'Liger' },
    { 'X-FB-HTTP-Engine': 'Liger' },
    { 'X-Moz': 'prefetch' },
  ])('a link with a click limit refuses to be prefetched: %j', async (headers) => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1 });
    const isolate = openIsolate();
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const response = await isolate(`/${id}`, byPerson(headers));
    // The browser asks again, so this is no failure of the service.
    expect(logged).not.toHaveBeenCalled();
    expect([...ledTo(response), response.headers.get('Retry-After'), await response.json()]).toEqual([
      503,
      null,
      '1',
      {
        result: 'Failed',
        error: 'store_unavailable: This link cannot be prefetched, since its clicks are limited.',
      },
    ]);
    expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual(LED);
  });

  it('a link with a click limit is 503 while its object does not respond, and redirects afterwards; other links redirect meanwhile', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1 });
    const [plain, rich] = [await manager.make(), await manager.make({ redirect_status: 301 })];
    const isolate = openIsolate();
    failLimits();
    const response = await isolate(`/${id}`, byPerson());
    expect([...ledTo(response), response.headers.get('Retry-After'), await response.json()]).toEqual([
      503,
      null,
      '5',
      {
        result: 'Failed',
        error: 'store_unavailable: The limit of this link is temporarily unavailable. Try again in a few seconds.',
      },
    ]);
    expect((await isolate(`/${id}`, { method: 'HEAD' })).status).toBe(503);
    expect([(await isolate(`/${plain}`)).status, (await isolate(`/${rich}`)).status]).toEqual([302, 301]);
    vi.restoreAllMocks();
    expect(ledTo(await isolate(`/${id}`, byPerson()))).toEqual(LED);
  });

  it('a link with a click limit takes no click of a person whom a blocked destination would have served', async () => {
    const manager = await open();
    const id = await manager.make({
      max_clicks: 1,
      rules: [{ if: [{ type: 'language', in: ['de'] }], url: 'https://bad-limited.example/' }],
    });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-limited.example', 1)`).run();
    const isolate = openIsolate();
    expect((await isolate(`/${id}`, byPerson({ 'Accept-Language': 'de' }))).status).toBe(403);
    expect(ledTo(await isolate(`/${id}`, byPerson({ 'Accept-Language': 'en' })))).toEqual(LED);
    expect((await isolate(`/${id}`, byPerson())).status).toBe(410);
  });
});

describe('a click limit that is changed while the link is in use', () => {
  const follow = async (isolate: ReturnType<typeof openIsolate>, id: string, times: number) => {
    const statuses = [];
    for (let time = 0; time < times; time++) statuses.push((await isolate(`/${id}`, byPerson())).status);
    return statuses;
  };

  it('a click limit that is changed while the link is in use continues its count if it is raised or lowered, and ends if it is removed', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 2 });
    expect(await follow(call, id, 3)).toEqual([302, 302, 410]);
    await edit(manager, id, { max_clicks: 4 });
    expect(await follow(call, id, 1)).toEqual([302]);
    await edit(manager, id, { max_clicks: 3 });
    expect(await follow(call, id, 1)).toEqual([410]);
    await edit(manager, id, { max_clicks: null });
    expect(await follow(call, id, 2)).toEqual([302, 302]);
    // Set again, it begins anew.
    await edit(manager, id, { max_clicks: 1 });
    expect(await follow(call, id, 2)).toEqual([302, 410]);
  });

  it('a click limit that is changed while the link is in use is lowered at once for an isolate that has not seen the edit', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 5 });
    const other = openIsolate({ MEMORY_SECONDS: '3600' });
    expect(await follow(other, id, 1)).toEqual([302]);
    await edit(manager, id, { max_clicks: 2 });
    expect(await follow(other, id, 2)).toEqual([302, 410]);
  });

  it('a click limit that is changed while the link is in use counts from now on for a link that had none', async () => {
    const manager = await open();
    const id = await manager.make({ redirect_status: 301 });
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    expect(await follow(isolate, id, 2)).toEqual([301, 301]);
    await edit(manager, id, { max_clicks: 1 });
    expect(await follow(isolate, id, 2)).toEqual([301, 410]);
  });
});
