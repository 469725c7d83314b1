import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { MAX_VIEWS } from '../../src/statistics/live/feed.ts';
import { deliver, packOf, type PackedBy } from '../support/clicks.ts';
import { answerFaults, DOCUMENT } from '../support/documented.ts';
import { eventsOf, type EventReader } from '../support/event-streams.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { ask, INSTANT, seedKey } from '../support/management.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { db, seedLink, type LinkRecord } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const PATH = '/v1/clicks/stream';

const open = async (caller: Caller, query = '', headers = {}): Promise<EventReader> =>
  eventsOf(await call(`${PATH}${query}`, { headers: { ...bearerOf(caller), ...headers } }));

const count = (link: LinkRecord, clicks: number | readonly PackedBy[]) => deliver([packOf(link, clicks)]);

async function seed() {
  const caller = await seedCaller();
  return { caller, link: await seedLink(caller) };
}

const EVENT_ID = expect.stringMatching(/^\d{13}-\d+$/);

describe('a stream', () => {
  it('a stream of clicks has each click with what statistics keep of it, and nothing else', async () => {
    const { caller, link } = await seed();
    const { expect: next } = await open(caller);
    await count(link, [{ country: 'AT', referrer: 'news.example', language: 'de', mark: 'anna0000', clicks: 2 }]);
    const event = await next('click');
    expect(event).toEqual({
      id: EVENT_ID,
      event: 'click',
      data: {
        at: INSTANT,
        link_id: link.id,
        short_url: `${ORIGIN}/${link.id}`,
        country: 'AT',
        referrer: 'news.example',
        device: 'desktop',
        os: 'Windows',
        browser: 'Chrome',
        kind: 'human',
        via: null,
        utm_medium: null,
        utm_campaign: null,
        clicks: 2,
      },
    });
    const schema = { $ref: '#/components/schemas/StreamedClick' };
    expect(DOCUMENT.components.schemas['StreamedClick']).toBeDefined();
    expect(answerFaults(schema, event.data)).toEqual([]);
    await count(link, [{ userAgent: null }]);
    expect((await next('click')).data).toMatchObject({ kind: 'bot', country: null, referrer: null, device: null });
  });

  it('a stream of clicks is for keys with stats:read too, and has the headers of a stream', async () => {
    const { caller, link } = await seed();
    const { key } = await seedKey(caller, ['stats:read']);
    const response = await call(PATH, { headers: { 'X-API-Key': key } });
    expect(
      ['Cache-Control', 'X-Accel-Buffering', 'Access-Control-Allow-Origin'].map((name) => response.headers.get(name)),
    ).toEqual(['no-store', 'no', '*']);
    const { expect: next } = await eventsOf(response);
    await count(link, 1);
    expect((await next('click')).data).toMatchObject({ short_url: `${ORIGIN}/${link.id}` });
  });

  it('a stream of clicks of one link has no other clicks', async () => {
    const { caller, link } = await seed();
    const other = await seedLink(caller);
    const { expect: next } = await open(caller, `?link_id=${link.id}`);
    await count(other, 1);
    await count(link, [{ country: 'CH' }]);
    expect((await next('click')).data).toMatchObject({ link_id: link.id, country: 'CH' });
  });

  it('a stream of clicks of a client has no clicks of another one', async () => {
    const [one, two] = [await seed(), await seed()];
    const { expect: next } = await open(one.caller);
    await count(two.link, [{ country: 'FR' }]);
    await count(one.link, [{ country: 'IT' }]);
    expect((await next('click')).data).toMatchObject({ link_id: one.link.id, country: 'IT' });
    await addMember(db, one.caller.userName, two.caller.clientId);
    const both = await open(one.caller, `?client_id=${two.caller.clientId}`);
    await count(one.link, 1);
    await count(two.link, [{ country: 'DE' }]);
    expect((await both.expect('click')).data).toMatchObject({ link_id: two.link.id, country: 'DE' });
  });

  it('a stream of clicks says how many clicks were left out of more than 50 at once', async () => {
    const { caller, link } = await seed();
    const { expect: next } = await open(caller);
    const countries = Array.from({ length: 60 }, (_, i) => `${String.fromCharCode(65 + (i % 26))}${i % 10}`);
    await count(
      link,
      countries.map((country, i) => ({ country, clicks: i < 50 ? 1 : 3 })),
    );
    for (let i = 0; i < 50; i++) expect((await next('click')).data).toMatchObject({ country: countries[i] });
    const event = await next('more');
    expect(event).toEqual({ id: EVENT_ID, event: 'more', data: { count: 30 } });
    expect(answerFaults({ $ref: '#/components/schemas/StreamedMore' }, event.data)).toEqual([]);
  });

  it('a stream of clicks continues after the event that the client has, and has nothing twice', async () => {
    const { caller, link } = await seed();
    const first = await open(caller);
    await count(link, [{ country: 'AT' }, { country: 'DE' }]);
    const { id } = await first.expect('click');
    const { id: last } = await first.expect('click');
    await first.stop();
    await count(link, [{ country: 'CH' }]);
    const second = await open(caller, '', { 'Last-Event-ID': id });
    const shown = [await second.expect('click'), await second.expect('click')];
    expect(shown).toMatchObject([{ id: last, data: { country: 'DE' } }, { data: { country: 'CH' } }]);
    for (const ignored of ['x', '', `${'9'.repeat(200)}-1`]) {
      const fresh = await open(caller, '', { 'Last-Event-ID': ignored });
      await count(link, [{ country: 'IT' }]);
      expect((await fresh.expect('click')).data).toMatchObject({ country: 'IT' });
    }
  });

  it('a stream of clicks has no short link of a link that is deleted', async () => {
    const { caller, link } = await seed();
    const { expect: next } = await open(caller);
    expect((await ask(caller, 'DELETE', `/v1/links/${link.id}`)).status).toBe(204);
    await count(link, 1);
    expect((await next('click')).data).toMatchObject({ link_id: link.id, short_url: null });
  });

  it('a stream of clicks costs no call and no row if it is not open', async () => {
    const { link } = await seed();
    // The first clicks of a client also settle whether they take the queue.
    await count(link, 1);
    const called: string[] = [];
    const getByName = env.STATISTICS.getByName.bind(env.STATISTICS);
    vi.spyOn(env.STATISTICS, 'getByName').mockImplementation((name) => {
      const stub = getByName(name);
      return new Proxy(stub, {
        get: (target, method) => {
          called.push(String(method));
          return Reflect.get(target, method) as unknown;
        },
      });
    });
    await count(link, 1);
    expect(called).toEqual(['append']);
  });
});

describe('a request for a stream', () => {
  it('a request for a stream is refused without a credential, the scope, the client or the link', async () => {
    const [one, two] = [await seed(), await seed()];
    const { key } = await seedKey(one.caller, ['links:read', 'links:write']);
    const failing = (code: string) => expect.stringMatching(new RegExp(`^${code}: .+\\.$`));
    await expectFailure(await call(PATH), 401, failing('missing_credential'));
    await expectFailure(await call(PATH, { headers: { 'X-API-Key': key } }), 403, failing('insufficient_scope'));
    const asked = (query: string) => ask(one.caller, 'GET', `${PATH}?${query}`);
    await expectFailure(await asked(`client_id=${two.caller.clientId}`), 403, failing('wrong_client'));
    await expectFailure(await asked(`link_id=${two.link.id}`), 404, failing('not_found'));
    await expectFailure(await asked('limit=1'), 400, failing('unknown_field'));
    expect((await ask(one.caller, 'DELETE', `/v1/links/${one.link.id}`)).status).toBe(204);
    await expectFailure(await asked(`link_id=${one.link.id}`), 410, failing('gone'));
    const problem = await call(PATH, { headers: { Accept: 'application/problem+json, text/event-stream' } });
    expect([problem.status, problem.headers.get('Content-Type')]).toEqual([401, 'application/problem+json']);
    expect((await ask(one.caller, 'POST', PATH, {})).status).toBe(405);
  });

  it('a request for a stream is refused if 20 are open, until one is closed; HEAD says the same and opens none', async () => {
    const { caller, link } = await seed();
    const other = await seed();
    const readers: EventReader[] = [];
    for (let i = 0; i < MAX_VIEWS; i++) readers.push(await open(caller));
    const refused = await ask(caller, 'GET', PATH);
    expect(refused.headers.get('Retry-After')).toBe('10');
    await expectFailure(
      refused,
      429,
      'too_many_requests: This client has the maximum of 20 open live streams. Close one, or try again later.',
    );
    expect((await ask(caller, 'HEAD', PATH)).status).toBe(429);
    expect((await ask(other.caller, 'HEAD', PATH)).status).toBe(200);
    await readers[0]!.stop();
    // The object learns of it by its next write.
    await expect.poll(async () => (await ask(caller, 'HEAD', PATH)).status).toBe(200);
    const again = await open(caller);
    await count(link, 1);
    await again.expect('click');
  });

  it('a request for a stream is refused if the statistics are unavailable', async () => {
    const { caller } = await seed();
    replaceInObjects('watch', () => () => Promise.reject(OBJECT_FAILURE));
    const response = await ask(caller, 'GET', PATH);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  });
});
