import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { EXAMPLE, bearerOf, expectFailure, seedCaller, storedLinks } from '../../support/forms.ts';
import { seedDomain, seedLink, type LinkRecord } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const LINKS = 500;
const CONCURRENCY = 16;

/** Runs a job for each number below `count`, so many at a time, and gives the results in order. */
async function inParallel<Result>(count: number, job: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await job(index);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}

it('the service creates 500 links, 16 at a time, with one round trip to D1 each, and follows all to the right destination', async () => {
  const caller = await seedCaller();
  const isolate = openIsolate({ CREATE_LIMITING: 'off', MEMORY_SECONDS: '3600' });
  const before = await storedLinks();
  const targetOf = (index: number) => `https://example.com/page/${index}?from=load#${index}`;

  const tripsOfCreates = await countTrips();
  const made = await inParallel(LINKS, (index) => seedLink(caller, { url: targetOf(index) }, isolate));
  expect(tripsOfCreates()).toEqual({ d1: LINKS, kvReads: 0, kvWrites: 0 });
  vi.restoreAllMocks();
  expect(new Set(made.map(({ id }) => id)).size).toBe(LINKS);
  expect(new Set(made.map(({ short_url }) => short_url)).size).toBe(LINKS);
  expect(await storedLinks()).toEqual({ links: before.links + LINKS, addresses: before.addresses + LINKS });

  const follow = async (index: number) => {
    const response = await isolate(made[index]!.short_url);
    return [response.status, response.headers.get('Location')];
  };
  const right = made.map((_link, index) => [302, targetOf(index)]);
  const tripsOfFirst = await countTrips();
  expect(await inParallel(LINKS, follow)).toEqual(right);
  expect(tripsOfFirst()).toEqual({ d1: LINKS, kvReads: LINKS, kvWrites: 0 });
  vi.restoreAllMocks();
  const tripsOfSecond = await countTrips();
  expect(await inParallel(LINKS, follow)).toEqual(right);
  expect(tripsOfSecond()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
}, 600_000);

it('a create takes one trip to D1, with any credential and every field, and so does a refusal', async () => {
  const caller = await seedCaller();
  const custom_domain = await seedDomain(caller);
  const isolate = openIsolate();
  const whole = {
    url: EXAMPLE,
    client_id: caller.clientId,
    custom_domain,
    campaign_name: 'n',
    metadata: '{}',
    sec_id: 's',
  };
  for (const [path, headers] of [
    ['/v1/links', { 'X-API-Key': caller.apiKey }],
    ['/v1/links', { 'X-API-Key': caller.apiToken }],
    ['/shortener/encode', bearerOf(caller)],
  ] as const) {
    for (const [status, fields] of [
      [200, {}],
      [403, { client_id: 'another' }],
      [400, { custom_domain: 'unknown.example' }],
      [400, { url: `https://${custom_domain}/` }],
    ] as const) {
      const trips = await countTrips();
      const response = await isolate(path, { headers, form: { ...whole, ...fields } });
      expect(response.status).toBe(status);
      expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
      vi.restoreAllMocks();
    }
  }
});

it('a create reads few rows among many addresses, on its own host and on a custom domain', async () => {
  const caller = await seedCaller();
  const custom_domain = await seedDomain(caller);
  for (const fields of [{}, { custom_domain }]) await seedLink(caller, fields);
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
     INSERT INTO addresses (domain_id, folded, slug, link_id)
     SELECT domain_id, 'many-' || n, 'many-' || n, link_id FROM numbers
     JOIN addresses ON link_id IN (SELECT id FROM links WHERE client_id = ?1)`,
  )
    .bind(caller.clientId)
    .run();
  const batch = vi.spyOn(env.DB, 'batch');
  for (const fields of [{}, { custom_domain }]) await seedLink(caller, fields);
  const creates = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
  const rowsRead = creates.map((statements) => statements.reduce((sum, { meta }) => sum + meta.rows_read, 0));
  expect(rowsRead).toHaveLength(2);
  expect(Math.max(...rowsRead)).toBeLessThan(30);
});

it('a create with an invalid form, or without a credential, takes no round trip', async () => {
  const caller = await seedCaller();
  const isolate = openIsolate();
  const headers = { 'X-API-Key': caller.apiKey };
  const trips = await countTrips();
  expect((await isolate('/v1/links', { headers, form: { url: EXAMPLE } })).status).toBe(400);
  expect((await isolate('/v1/links', { form: { url: EXAMPLE, client_id: caller.clientId } })).status).toBe(401);
  expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
});

it('a cold link takes one KV read and one trip to D1, and none while it is remembered', async () => {
  const { id } = await seedLink(await seedCaller());
  const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
  const cold = await countTrips();
  expect((await isolate(`/${id}`)).status).toBe(302);
  expect(cold()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  vi.restoreAllMocks();
  const warm = await countTrips();
  expect((await isolate(`/${id}`)).status).toBe(302);
  expect((await isolate(`/${id}?x`, { method: 'HEAD' })).status).toBe(302);
  expect(warm()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
});

it('an unknown slug takes one KV read and one trip to D1 each time, and writes nothing to KV', async () => {
  const isolate = openIsolate();
  for (const slug of ['no-such-a', 'no-such-b', 'no-such-a']) {
    const trips = await countTrips();
    expect((await isolate(`/${slug}`)).status).toBe(404);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    vi.restoreAllMocks();
  }
});

it('info takes one trip to D1', async () => {
  const caller = await seedCaller();
  const { id, client_id, sec_id } = await seedLink(caller);
  const trips = await countTrips();
  const response = await openIsolate()(`/info/${id}/${client_id}/${sec_id}`, { headers: bearerOf(caller) });
  expect(response.status).toBe(200);
  expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
});

/** Makes the next `times` random draws come out alike, as they would once in a very long while. */
function repeatRandom(times: number): void {
  const draw = crypto.getRandomValues.bind(crypto);
  let left = times;
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (left <= 0 || !(array instanceof Uint8Array)) return draw(array);
    left -= 1;
    array.fill(0);
    return array;
  });
}

it('a create tries another id if the generated one is taken, and does not change the link that has it', async () => {
  const caller = await seedCaller();
  const isolate = openIsolate();
  const create = (path: string): Promise<LinkRecord> =>
    seedLink(caller, { url: `https://example.com/${path}`, sec_id: 's' }, isolate);
  repeatRandom(1);
  const first = await create('first');
  vi.restoreAllMocks();
  repeatRandom(2);
  const trips = await countTrips();
  const second = await create('second');
  expect(trips()).toEqual({ d1: 3, kvReads: 0, kvWrites: 0 });
  expect(second.id).not.toBe(first.id);
  for (const [id, path] of [
    [first.id, 'first'],
    [second.id, 'second'],
  ]) {
    expect((await isolate(`/${id}`)).headers.get('Location')).toBe(`https://example.com/${path}`);
  }
});

it('a create gives up in the end, and stores nothing, where every id that it draws is taken', async () => {
  const caller = await seedCaller();
  const isolate = openIsolate();
  const form = { url: EXAMPLE, client_id: caller.clientId, sec_id: 's' };
  const create = () => isolate('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form });
  repeatRandom(Infinity);
  vi.spyOn(console, 'error').mockReturnValue();
  await env.DB.prepare('DELETE FROM addresses').run();
  await env.DB.prepare('DELETE FROM links').run();
  expect((await create()).status).toBe(200);
  const before = await storedLinks();
  await expectFailure(
    await create(),
    500,
    'internal_error: Something went wrong on our side. The error has been logged.',
  );
  expect(await storedLinks()).toEqual(before);
});
