import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { deleteExpiredResponses } from '../../src/accounts/stored-responses.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { db, rowsOf, seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** Requests that are repeated under their Idempotency-Key. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Headers = Record<string, string>;

const REUSED = expect.stringMatching(/^idempotency_key_reused: /);

const post = (path: string, headers: Headers, body: object) =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const linksOf = async ({ clientId }: Caller) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);
const outcomeOf = async (answered: Promise<Response>) => {
  const response = await answered;
  return [response.status, await response.text()] as const;
};

describe('a batch under an Idempotency-Key', () => {
  const send = (headers: Headers, links: readonly object[], key = 'k') =>
    post('/v1/links/batch', { ...headers, 'Idempotency-Key': key }, { links });

  /** A list with links to make, an error found before the query, and one of each kind that only the database finds. */
  const mixed = (slug: string, clientId: string) => [
    { url: 'https://example.com/1', client_id: clientId, slug, metadata: '{"ü":"\\u00e4 \\"q\\"\\n 😀"}' },
    { url: 'https://example.com/2', client_id: clientId, slug: slug.toUpperCase() },
    { url: 'ftp://example.com/3', client_id: clientId },
    { url: 'https://example.com/4', client_id: clientId, custom_domain: 'not-mine.example' },
    { url: 'https://example.com/5', client_id: 'not-mine' },
    { url: 'https://example.com/6' },
  ];

  it('a batch under an Idempotency-Key creates its links once, in one round trip, and gets the first response again, errors included', async () => {
    const caller = await seedCaller();
    const list = mixed(`s-${crypto.randomUUID().slice(0, 8)}`, caller.clientId);
    for (const headers of [{ 'X-API-Key': caller.apiKey }, bearerOf(caller)]) {
      const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
      const links = list.map((each, n) => (n < 2 ? { ...each, slug } : each));
      const before = (await linksOf(caller)).length;
      const trips = await countTrips();
      const first = await outcomeOf(send(headers, links));
      expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
      const { results } = JSON.parse(first[1]);
      expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 409, 400, 400, 403, 201]);
      expect(results[5].link.client_id).toBe(caller.clientId);
      expect(await outcomeOf(send(headers, links))).toEqual(first);
      expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 0 });
      vi.restoreAllMocks();
      expect(await linksOf(caller)).toHaveLength(before + 2);
      await env.DB.prepare('DELETE FROM idempotency_keys').run();
    }
  });

  it('a batch under an Idempotency-Key gets the same response as without the key', async () => {
    const [one, other] = [await seedCaller(), await seedCaller()];
    const plain = (text: string, { clientId }: Caller) =>
      text
        .replaceAll(clientId, 'C')
        .replaceAll(/"(id|sec_id|created_at|updated_at)":"[^"]*"/g, '"$1":"…"')
        .replaceAll(/s-[\da-f]{8}/gi, 'S')
        .replaceAll(/"slug":"[^"]{8}"/g, '"slug":"…"')
        .replaceAll(/terse\.test\/[^"]*/g, 'U');
    const links = (caller: Caller) => mixed(`s-${crypto.randomUUID().slice(0, 8)}`, caller.clientId);
    const [status, text] = await outcomeOf(post('/v1/links/batch', { 'X-API-Key': one.apiKey }, { links: links(one) }));
    const keyed = await outcomeOf(send({ 'X-API-Key': other.apiKey }, links(other)));
    expect([keyed[0], plain(keyed[1], other)]).toEqual([status, plain(text, one)]);
  });

  it('a batch under an Idempotency-Key gets the same error again for a path that a link of the list or an earlier one takes', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const link = (slug: string, more: object = {}) => ({
      url: 'https://example.com/',
      slug,
      custom_domain: host,
      ...more,
    });
    const headers = { 'X-API-Key': caller.apiKey };
    expect((await send(headers, [link('old', { forward_path: true }), link('used/below')], 'first')).status).toBe(200);
    const links = [
      link('old/below'),
      link('used', { forward_path: true }),
      link('new', { forward_path: true }),
      link('new/below'),
    ];
    const first = await outcomeOf(send(headers, links));
    const { results } = JSON.parse(first[1]);
    expect(results.map(({ error }: { error?: string }) => error?.split(':')[0] ?? 'none')).toEqual([
      'path_taken',
      'path_taken',
      'none',
      'path_taken',
    ]);
    expect(await outcomeOf(send(headers, links))).toEqual(first);
  });

  it('a batch under an Idempotency-Key creates the links once for eight simultaneous requests', async () => {
    const caller = await seedCaller();
    const links = Array.from({ length: 5 }, (_, n) => ({ url: `https://example.com/${n}` }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => outcomeOf(send({ 'X-API-Key': caller.apiKey }, links))),
    );
    expect(new Set(answers.map(([status, text]) => `${status} ${text}`)).size).toBe(1);
    expect(await linksOf(caller)).toHaveLength(5);
  });

  it('a batch under an Idempotency-Key is refused with other content', async () => {
    const caller = await seedCaller();
    const headers = { 'X-API-Key': caller.apiKey };
    expect((await send(headers, [{ url: 'https://example.com/1' }])).status).toBe(200);
    await expectFailure(await send(headers, [{ url: 'https://example.com/2' }]), 409, REUSED);
    expect(await linksOf(caller)).toHaveLength(1);
  });

  it('a batch under an Idempotency-Key gets the first response also after its expires_at has passed', async () => {
    const caller = await seedCaller();
    const end = Date.now() + 60_000;
    const links = [{ url: 'https://example.com/1', expires_at: new Date(end).toISOString() }];
    const first = await outcomeOf(send({ 'X-API-Key': caller.apiKey }, links));
    vi.setSystemTime(end);
    expect(await outcomeOf(send({ 'X-API-Key': caller.apiKey }, links))).toEqual(first);
  });

  it('a batch under an Idempotency-Key keeps no response if nothing was created', async () => {
    const caller = await seedCaller();
    const headers = { 'X-API-Key': caller.apiKey };
    for (const link of [{ url: 'ftp://example.com/' }, { url: 'https://example.com/', custom_domain: 'no.example' }]) {
      expect((await send(headers, [link])).status).toBe(200);
    }
    const response = await send(headers, [{ url: 'https://example.com/' }]);
    expect(await response.json()).toMatchObject({ results: [{ status: 201 }] });
  });

  it('a batch under an Idempotency-Key is refused with a revoked key as without the header, whether the links are valid or not', async () => {
    const caller = await seedCaller();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE client_id = ?').bind(caller.clientId).run();
    for (const url of ['https://example.com/', 'ftp://example.com/']) {
      const response = await send({ 'X-API-Key': caller.apiKey }, [{ url }]);
      await expectFailure(response, 401, expect.stringMatching(/^invalid_credential: /));
    }
  });

  it('a batch under an Idempotency-Key gives no stored response to a key that can no longer create links, nor to a user who has left the client', async () => {
    const [caller, second] = [await seedCaller(), await seedCaller()];
    await addMember(db, caller.userName, second.clientId);
    const links = [{ url: 'https://example.com/', client_id: second.clientId }];
    expect((await send(bearerOf(caller), links)).status).toBe(200);
    await env.DB.prepare('DELETE FROM members WHERE user_id = ? AND client_id = ?')
      .bind(caller.userId, second.clientId)
      .run();
    await expectFailure(await send(bearerOf(caller), links), 403, expect.stringMatching(/^wrong_client: /));
    const own = [{ url: 'https://example.com/' }];
    expect((await send({ 'X-API-Key': caller.apiKey }, own)).status).toBe(200);
    await env.DB.prepare(`UPDATE api_keys SET scopes = 'links:read' WHERE client_id = ?`).bind(caller.clientId).run();
    const refused = await send({ 'X-API-Key': caller.apiKey }, own);
    await expectFailure(refused, 403, expect.stringMatching(/^insufficient_scope: /));
  });

  it('a batch under an Idempotency-Key keeps the largest possible response', async () => {
    const caller = await seedCaller();
    const links = Array.from({ length: 100 }, (_, n) => ({
      url: `https://example.com/${'ü'.repeat(1350)}${n}`,
      metadata: JSON.stringify({ a: 'x'.repeat(4000) }),
    }));
    const first = await outcomeOf(send({ 'X-API-Key': caller.apiKey }, links));
    expect(first[0]).toBe(200);
    expect(await outcomeOf(send({ 'X-API-Key': caller.apiKey }, links))).toEqual(first);
    expect(await linksOf(caller)).toHaveLength(100);
  });
});

describe('/shortener/encode under an Idempotency-Key', () => {
  const encode = (caller: Caller, fields: Headers = {}, key = 'k') =>
    call('/shortener/encode', {
      headers: { ...bearerOf(caller), 'Idempotency-Key': key },
      form: { url: 'https://example.com/', client_id: caller.clientId, ...fields },
    });

  it('/shortener/encode under an Idempotency-Key creates one link for eight simultaneous calls with one response, and counts each call as created', async () => {
    const caller = await seedCaller();
    const answers = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(encode(caller))));
    expect(new Set(answers.map(([status, text]) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(200);
    expect(await linksOf(caller)).toHaveLength(1);
    const counted = (await rowsOf('encode_days')).filter((row) => row['client_id'] === caller.clientId);
    expect(counted).toMatchObject([{ made: 8, refused: 0 }]);
  });

  it('/shortener/encode under an Idempotency-Key is refused with other content, and with a malformed key', async () => {
    const caller = await seedCaller();
    expect((await encode(caller)).status).toBe(200);
    await expectFailure(await encode(caller, { sec_id: 'other' }), 409, REUSED);
    const refused = await encode(caller, {}, 'x'.repeat(256));
    await expectFailure(refused, 400, expect.stringMatching(/^invalid_idempotency_key: /));
    expect(await linksOf(caller)).toHaveLength(1);
  });
});

describe('a key', () => {
  it('an Idempotency-Key counts for one endpoint and one user', async () => {
    const [ann, bob, stranger] = [await seedCaller(), await seedCaller(), await seedCaller()];
    await addMember(db, bob.userName, ann.clientId);
    const key = { 'Idempotency-Key': 'shared' };
    const url = 'https://example.com/';
    const make = (headers: Headers, client_id: string) => post('/v1/links', { ...headers, ...key }, { url, client_id });
    const made = [
      await make({ 'X-API-Key': ann.apiKey }, ann.clientId),
      await make(bearerOf(bob), ann.clientId),
      await make({ 'X-API-Key': stranger.apiKey }, stranger.clientId),
      await make(bearerOf(bob), bob.clientId),
      await post('/v1/links/batch', { 'X-API-Key': ann.apiKey, ...key }, { links: [{ url }] }),
      await call('/shortener/encode', {
        headers: { ...bearerOf(ann), ...key },
        form: { url, client_id: ann.clientId },
      }),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await linksOf(ann)).toHaveLength(4);
    expect(new Set(await Promise.all(made.map((response) => response.text()))).size).toBe(6);
    // Ann's access token and her key are hers.
    expect((await make(bearerOf(ann), ann.clientId)).status).toBe(200);
    expect(await linksOf(ann)).toHaveLength(4);
  });

  it('an Idempotency-Key that was kept by an earlier version still works', async () => {
    const caller = await seedCaller();
    const form = { url: 'https://example.com/', client_id: caller.clientId };
    const send = () => call('/v1/links', { headers: { 'X-API-Key': caller.apiKey, 'Idempotency-Key': 'old' }, form });
    const first = await outcomeOf(send());
    await env.DB.prepare(`UPDATE idempotency_keys SET key = 'old' WHERE client_id = ?`).bind(caller.clientId).run();
    expect(await outcomeOf(send())).toEqual(first);
    expect(await linksOf(caller)).toHaveLength(1);
  });

  it('an Idempotency-Key is deleted by the clean-up after 24 hours, and not before', async () => {
    const caller = await seedCaller();
    await post(
      '/v1/links/batch',
      { 'X-API-Key': caller.apiKey, 'Idempotency-Key': 'k' },
      { links: [{ url: 'https://example.com/' }] },
    );
    const kept = async () =>
      (await rowsOf('idempotency_keys')).filter((row) => row['client_id'] === caller.clientId).length;
    await db.batch([deleteExpiredResponses(Date.now() + 23 * 3600 * 1000)]);
    expect(await kept()).toBe(1);
    await db.batch([deleteExpiredResponses(Date.now() + 24 * 3600 * 1000 + 1)]);
    expect(await kept()).toBe(0);
  });
});
