import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { disableUser } from '../../src/accounts/operator.ts';
import { newSlug, openClient } from '../support/files.ts';
import { openLinks } from '../support/platform.ts';
import { newAddress } from '../support/address.ts';
import { db, rowsOf, seedTenant } from '../support/seed.ts';
import { call, openIsolate, ORIGIN } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** The checks before more than 64 KiB of a body are read. */

afterEach(() => void vi.restoreAllMocks());

const UNJUDGED = 64 * 1024;
const MADE_UP = { 'X-API-Key': `tk_${'a'.repeat(12)}_${'b'.repeat(43)}` };
const FORGED = { Authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln' };
const CHUNK = 16 * 1024;

const TAKERS = [
  { path: '/v1/links/import', type: 'text/csv', fault: 'unknown_field', size: 10 * 1024 * 1024 },
  { path: '/v1/links/import', type: 'application/x-ndjson', fault: 'too_many_rows', size: 10 * 1024 * 1024 },
  { path: '/v1/links/batch', type: 'application/json', fault: 'malformed_body', size: 1024 * 1024 },
] as const;

/** An invalid body of this many bytes. */
const nonsense = (bytes: number) => '{\n'.repeat(bytes / 2);

/** A stream of it after a valid beginning, which counts how much was read. */
function counted(bytes: number, start = '') {
  const seen = { sent: 0, cancelled: false };
  const body = new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        if (seen.sent >= bytes) return controller.close();
        const rest = nonsense(Math.min(CHUNK, bytes - seen.sent));
        const chunk = Buffer.from(seen.sent === 0 && start !== '' ? start : rest);
        seen.sent += chunk.length;
        controller.enqueue(new Uint8Array(chunk));
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

const codeOf = async (response: Response) => [
  response.status,
  (await response.json<{ error: string }>()).error.split(':')[0],
];

describe.each(TAKERS)('a body of more than 64 KiB to $path as $type', ({ path, type, fault, size }) => {
  const send = (headers: Record<string, string>, body: BodyInit, { through = call, query = '' } = {}) =>
    through(path + query, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body });

  it.each([
    ['a made-up key', MADE_UP],
    ['half a key', { 'X-API-Key': 'tk_abc' }],
    ['a forged token', FORGED],
  ])('a body of more than 64 KiB is not read further with %s, however it is sent', async (_, headers) => {
    for (const stated of [{}, { 'Content-Length': String(size) }]) {
      const { body, seen } = counted(size);
      const response = await send({ ...headers, ...stated }, body, { through: openIsolate() });
      expect(await codeOf(response)).toEqual([401, 'invalid_credential']);
      expect(seen.cancelled).toBe(true);
      expect(seen.sent).toBeLessThanOrEqual(UNJUDGED + CHUNK);
    }
    expect(await codeOf(await send(headers, nonsense(size)))).toEqual([401, 'invalid_credential']);
  });

  it('a body of more than 64 KiB is not parsed for a key that is revoked, or whose creator is disabled', async () => {
    const { tenant, key } = await openClient();
    expect(await codeOf(await send(key, nonsense(size)))).toEqual([400, fault]);
    await disableUser(db, tenant.userName);
    expect(await codeOf(await send(key, nonsense(size)))).toEqual([401, 'invalid_credential']);
  });

  it('a body of more than 64 KiB is not parsed for a key that may only read', async () => {
    const { tenant, key } = await openClient();
    await env.DB.prepare(`UPDATE api_keys SET scopes = 'links:read' WHERE client_id = ?`).bind(tenant.clientId).run();
    expect(await codeOf(await send(key, nonsense(size)))).toEqual([403, 'insufficient_scope']);
  });

  it('a body of more than 64 KiB gets 503 while the database does not respond', async () => {
    const { key } = await openClient();
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'));
    const { body, seen } = counted(size);
    const response = await send(key, body, { through: openIsolate() });
    expect(response.headers.get('Retry-After')).not.toBeNull();
    expect(await codeOf(response)).toEqual([503, 'store_unavailable']);
    expect(seen.sent).toBeLessThanOrEqual(UNJUDGED + CHUNK);
  });

  it('a body of more than 64 KiB counts by address, before its credential is checked', async () => {
    const limit = vi.spyOn(env.LARGE_BODY_LIMIT, 'limit').mockResolvedValue({ success: false });
    const { key } = await openClient();
    const address = newAddress();
    const trips = await countTrips();
    for (const headers of [key, MADE_UP]) {
      const response = await send({ ...headers, 'CF-Connecting-IP': address }, nonsense(size));
      expect(response.headers.get('Retry-After')).not.toBeNull();
      expect(await codeOf(response)).toEqual([429, 'too_many_requests']);
    }
    expect(trips().d1).toBe(0);
    expect(limit.mock.calls).toEqual([[{ key: address }], [{ key: address }]]);
  });

  it('a body of more than 64 KiB is accepted if its limiter fails, or is off for a load run', async () => {
    const { key } = await openClient();
    vi.spyOn(env.LARGE_BODY_LIMIT, 'limit').mockRejectedValue(new Error('out of order'));
    expect(await codeOf(await send(key, nonsense(size)))).toEqual([400, fault]);
    vi.spyOn(env.LARGE_BODY_LIMIT, 'limit').mockResolvedValue({ success: false });
    const through = openIsolate({ CREATE_LIMITING: 'off' });
    expect(await codeOf(await send(key, nonsense(size), { through }))).toEqual([400, fault]);
  });

  it('a body of more than 64 KiB is refused at once if its Content-Length is too large', async () => {
    const { body, seen } = counted(size);
    const headers = { ...MADE_UP, 'Content-Length': String(11 * 1024 * 1024) };
    expect(await codeOf(await send(headers, body, { through: openIsolate() }))).toEqual([413, 'body_too_large']);
    expect(seen.sent).toBeLessThanOrEqual(CHUNK);
  });
});

// The key of a file with many rows is verified after some of them.
it.each(TAKERS.filter(({ fault }) => fault !== 'too_many_rows'))(
  'a body of 64 KiB to $path is parsed first, and is not counted',
  async (taker) => {
    const limit = vi.spyOn(env.LARGE_BODY_LIMIT, 'limit').mockResolvedValue({ success: false });
    const trips = await countTrips();
    for (const stated of [{}, { 'Content-Length': String(UNJUDGED) }]) {
      const headers = { 'Content-Type': taker.type, ...MADE_UP, ...stated };
      const sent = call(taker.path, { method: 'POST', headers, body: nonsense(UNJUDGED) });
      expect(await codeOf(await sent)).toEqual([400, taker.fault]);
    }
    expect(trips().d1).toBe(0);
    expect(limit).not.toHaveBeenCalled();
  },
);

it('a body is read no further than its Content-Length', async () => {
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent === 100 * CHUNK) return controller.close();
      sent += CHUNK;
      controller.enqueue(new Uint8Array(CHUNK).fill(0x20));
    },
  });
  const headers = { ...MADE_UP, 'Content-Type': 'application/json', 'Content-Length': '100' };
  const response = await openIsolate()('/v1/links/batch', { method: 'POST', headers, body });
  expect(await codeOf(response)).toEqual([400, 'malformed_body']);
  expect(sent).toBeLessThanOrEqual(2 * CHUNK);
});

describe('a large import', () => {
  it('a large import for another user’s client is refused before it is parsed', async () => {
    const [{ key }, other] = [await openClient(), await seedTenant()];
    const before = await rowsOf('links');
    const response = await call(`/v1/links/import?client_id=${other.clientId}`, {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'text/csv' },
      body: nonsense(UNJUDGED + 2),
    });
    expect(await codeOf(response)).toEqual([403, 'wrong_client']);
    expect(await rowsOf('links')).toEqual(before);
  });
});

describe('a large batch', () => {
  const ask = (key: Record<string, string>, body: BodyInit) =>
    call('/v1/links/batch', { method: 'POST', headers: { ...key, 'Content-Type': 'application/json' }, body });
  const errorOf = async (response: Response) => [response.status, (await response.json<{ error: string }>()).error];

  it.each([
    ['of more than 100 links', '{"links":[', '{},', 'invalid_links: links must contain at most 100 links.'],
    [
      'whose list is named by escapes',
      '{"l\\u0069nks" : [',
      '7,',
      'invalid_links: links must contain at most 100 links.',
    ],
    [
      'with a long list that has no place there',
      '{"colour":[',
      '"a,b",',
      'unknown_field: There is no field "colour" here. Leave it out.',
    ],
    [
      'that is nested too deep',
      '{"links":[{"metadata":',
      '{"a":[',
      'malformed_body: The body is nested more than 128 levels deep. Send it with fewer levels.',
    ],
  ])('a large batch is not read further: %s', async (_, start, more, error) => {
    const { key } = await openClient();
    const { body, seen } = counted(1024 * 1024, start.padEnd(CHUNK, more));
    expect(await errorOf(await ask(key, body))).toEqual([400, error]);
    expect(seen.cancelled).toBe(true);
    expect(seen.sent).toBeLessThanOrEqual(UNJUDGED + 2 * CHUNK);
    // A short body has the same error.
    expect(await errorOf(await ask(key, start.padEnd(2000, more)))).toEqual([400, error]);
  });

  it('a large batch counts only the commas and brackets between its links', async () => {
    const { tenant, key } = await openClient();
    const item = { url: 'https://example.com/', client_id: tenant.clientId };
    const metadata = [{ list: Array.from({ length: 300 }, (_, index) => index) }, `{"\\"[${'[,'.repeat(500)}":[1,2]}`];
    const links = Array.from({ length: 100 }, (_, index) => ({ ...item, metadata: metadata[index % 2] }));
    const response = await ask(key, JSON.stringify({ links }));
    const { results } = await response.json<{ results: { status: number }[] }>();
    expect(results.map(({ status }) => status)).toEqual(links.map(() => 201));
  });

  it('a large batch creates its links, in one more round trip', async () => {
    const { tenant, key } = await openClient();
    const links = Array.from({ length: 20 }, () => ({
      url: 'https://example.com/',
      client_id: tenant.clientId,
      slug: newSlug(),
      metadata: JSON.stringify('x'.repeat(4000)),
    }));
    const trips = await countTrips();
    const response = await ask(key, JSON.stringify({ links }));
    expect(response.status).toBe(200);
    const { results } = await response.json<{ results: { status: number }[] }>();
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    expect(trips().d1).toBe(2);
  });
});

it('an upload to a page counts by address as well', async () => {
  const { browse, path } = await openLinks();
  const limit = vi.spyOn(env.LARGE_BODY_LIMIT, 'limit').mockResolvedValue({ success: false });
  const upload = (bytes: number) => {
    const body = new FormData();
    body.set('file', new File([`url\n${'\n'.repeat(bytes)}`], 'links.csv'));
    return browse(`${path}/import`, { method: 'POST', body, headers: { Origin: ORIGIN } });
  };
  expect((await upload(1000)).status).toBe(200);
  expect(limit).not.toHaveBeenCalled();
  expect((await upload(UNJUDGED)).status).toBe(429);
});
