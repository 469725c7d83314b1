import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MissingAddresses } from '../../src/links/redirect/missing-addresses.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { failD1 } from '../support/d1.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => void vi.restoreAllMocks());

const statusOf = async (url: string) => (await call(url)).status;

describe('a path on a custom domain that has no link', () => {
  it('a path on a custom domain that has no link reads the stores once a minute', async () => {
    const host = await seedDomain(await seedCaller());
    const isolate = openIsolate();
    const trips = await countTrips();
    for (let visit = 0; visit < 5; visit++) expect((await isolate(`https://${host}/wp/x.php`)).status).toBe(404);
    expect(trips()).toMatchObject({ d1: 1, kvReads: 1 });
  });

  it('a path on a custom domain that has no link reads the stores each time on the service’s own host', async () => {
    const isolate = openIsolate();
    const trips = await countTrips();
    for (let visit = 0; visit < 2; visit++) expect((await isolate('/nothing-here')).status).toBe(404);
    expect(trips()).toMatchObject({ d1: 2 });
  });

  it('a path on a custom domain that has no link is not remembered if the database does not respond', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    await seedLink(caller, { slug: 'there', custom_domain: host });
    const isolate = openIsolate();
    failD1();
    expect((await isolate(`https://${host}/there`)).status).toBe(503);
    vi.restoreAllMocks();
    expect((await isolate(`https://${host}/there`)).status).toBe(302);
  });

  const ways: readonly (readonly [what: string, make: (caller: Caller, host: string) => Promise<unknown>])[] = [
    ['a create', (caller, host) => seedLink(caller, { slug: 'new/one', custom_domain: host })],
    [
      'a create with an Idempotency-Key',
      (caller, host) =>
        call('/v1/links', {
          headers: { 'X-API-Key': caller.apiKey, 'Idempotency-Key': crypto.randomUUID() },
          form: { url: 'https://example.com/', client_id: caller.clientId, slug: 'new/one', custom_domain: host },
        }),
    ],
    ['a batch', (caller, host) => send(caller, '/v1/links/batch', JSON.stringify({ links: [linkOf(caller, host)] }))],
    [
      'an import, as an alias',
      (caller, host) =>
        send(
          caller,
          '/v1/links/import',
          JSON.stringify({ url: 'https://example.com/', slug: 'x', aliases: ['new/one'], custom_domain: host }),
          'application/x-ndjson',
        ),
    ],
    [
      'an edit',
      async (caller, host) => {
        const { id } = await seedLink(caller, { custom_domain: host });
        await send(caller, `/v1/links/${id}`, JSON.stringify({ slug: 'new/one' }), 'application/json', 'PATCH');
      },
    ],
    [
      'the page of a new link',
      async (caller, host) =>
        (await openBrowser(caller)).browse(
          `/platform/c/${caller.clientId}/links/new`,
          form({ url: 'https://example.com/', slug: 'new/one', custom_domain: host }),
        ),
    ],
  ];

  it.each(ways)(
    'a path on a custom domain has a link at once in the isolate that creates it by %s',
    async (_what, make) => {
      const caller = await seedCaller();
      const host = await seedDomain(caller);
      expect(await statusOf(`https://${host}/new/one`)).toBe(404);
      await make(caller, host);
      expect(await statusOf(`https://${host}/new/one`)).toBe(302);
    },
  );

  it('a path on a custom domain that has no link leads at once to the owner’s new URL', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    expect(await statusOf(`https://${host}/none`)).toBe(404);
    const id = await env.DB.prepare('SELECT id FROM domains WHERE host = ?').bind(host).first<string>('id');
    await send(
      caller,
      `/v1/domains/${id}`,
      '{"not_found_url":"https://example.com/lost"}',
      'application/json',
      'PATCH',
    );
    expect(await statusOf(`https://${host}/none`)).toBe(302);
  });
});

describe('the memory of paths without a link', () => {
  it('what is remembered of paths without a link is at most 4,000, the oldest going first', () => {
    const absent = new MissingAddresses();
    for (let turn = 0; turn < 6000; turn++) absent.add(`h.example/${turn}`, { notFoundUrl: null }, absent.generation);
    expect([absent.find('h.example/1999'), absent.find('h.example/2000')]).toEqual([null, { notFoundUrl: null }]);
  });

  it('what is remembered of paths without a link is at most 1 MiB', () => {
    const absent = new MissingAddresses();
    const notFoundUrl = `https://example.com/${'x'.repeat(8000)}`;
    for (let turn = 0; turn < 200; turn++) absent.add(`h.example/${turn}`, { notFoundUrl }, absent.generation);
    const kept = Array.from({ length: 200 }, (_, turn) => absent.find(`h.example/${turn}`)).filter(Boolean).length;
    expect(kept).toBe(Math.floor(1024 ** 2 / (2 * (13 + notFoundUrl.length) + 200)));
  });

  it('what is remembered of paths without a link does not include a look-up that began before a link was created', () => {
    const absent = new MissingAddresses();
    const { generation } = absent;
    absent.forget('h.example/a');
    absent.add('h.example/a', { notFoundUrl: null }, generation);
    expect(absent.find('h.example/a')).toBeNull();
  });
});

const linkOf = ({ clientId }: Caller, host: string) => ({
  url: 'https://example.com/',
  client_id: clientId,
  slug: 'new/one',
  custom_domain: host,
});

function send(caller: Caller, path: string, body: string, type = 'application/json', method = 'POST') {
  return call(path, { method, headers: { ...bearerOf(caller), 'Content-Type': type }, body });
}
