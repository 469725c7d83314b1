import dnsPacket from 'dns-packet';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { newHost, setDns } from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';
import type { DnsAnswer } from '../support/zone.ts';
import { seedLink } from '../support/seed.ts';

const timeout = AbortSignal.timeout.bind(AbortSignal);
// On a busy machine an answer may take longer than a create waits for it.
beforeEach(
  () => void vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(60 * milliseconds)),
);
afterEach(() => void vi.restoreAllMocks());

const TRUTH = inject('resolverUrl');
const FILTERING = new URL('/filtering', TRUTH).href;
const REFUSAL = 'blocked_host: url leads to a host that the operator of this service has blocked.';

const isolate: Call = (path, init) =>
  openIsolate({ TARGET_RESOLVER_URL: FILTERING, DNS_RESOLVER_URL: TRUTH })(path, init);

/** A host about which the two resolvers say this; all other names are NXDOMAIN. */
async function openHost(filtering?: DnsAnswer, truth?: DnsAnswer): Promise<string> {
  const host = newHost();
  if (filtering) await setDns(host, filtering, FILTERING);
  if (truth) await setDns(host, truth);
  return host;
}

const BLOCKED: DnsAnswer = { a: ['0.0.0.0'], reason: 15 };
const REAL: DnsAnswer = { a: ['192.0.2.1'] };

function create({ apiKey, clientId }: Caller, url: string, through = isolate): Promise<Response> {
  return through('/v1/links', { headers: { 'X-API-Key': apiKey }, form: { url, client_id: clientId } });
}

const OUTCOMES: readonly (readonly [what: string, status: number, filtering: DnsAnswer, truth: DnsAnswer])[] = [
  ['a real address', 200, REAL, REAL],
  ['no address, and no reason', 200, {}, REAL],
  ['a reason: blocked', 400, { reason: 15 }, REAL],
  ['a reason: censored', 400, { reason: 16, rcode: 'NXDOMAIN' }, REAL],
  ['a reason: filtered, which is enough by itself', 400, { reason: 17, rcode: 'REFUSED' }, { rcode: 'NXDOMAIN' }],
  ['another reason: prohibited', 200, { reason: 18, a: ['192.0.2.1'] }, REAL],
  ['0.0.0.0, where there is a real address', 400, { a: ['0.0.0.0'] }, REAL],
  ['0.0.0.0, which is the truth', 200, { a: ['0.0.0.0'] }, { a: ['0.0.0.0'] }],
  ['0.0.0.0, and nobody knows better', 200, { a: ['0.0.0.0'] }, { rcode: 'SERVFAIL' }],
  ['no such name, where there is one', 400, { rcode: 'NXDOMAIN' }, REAL],
  ['no such name, where there is one without an address', 400, { rcode: 'NXDOMAIN' }, {}],
  ['no such name, which is the truth', 200, { rcode: 'NXDOMAIN' }, { rcode: 'NXDOMAIN' }],
  ['no such name, and nobody knows better', 200, { rcode: 'NXDOMAIN' }, { rcode: 'SERVFAIL' }],
  ['a failure', 200, { rcode: 'SERVFAIL' }, REAL],
  ['a refusal', 200, { rcode: 'REFUSED' }, REAL],
  ['an answer to another question', 200, { ...BLOCKED, questionName: 'other.example' }, REAL],
  ['no DNS message', 200, { raw: { base64: 'bm9uZQ==' } }, REAL],
  ['a page', 200, { raw: { base64: 'PGgxPg==', mediaType: 'text/html' } }, REAL],
  ['a redirect', 200, { raw: { base64: '', status: 302 } }, REAL],
  ['more than a message can be', 200, { raw: { base64: btoa('\0'.repeat(70_000)) } }, REAL],
  ['the first bytes of a message', 200, { raw: { base64: 'AACBgAABAAE=' } }, REAL],
  ['0.0.0.0 at the end of an alias', 400, { a: ['0.0.0.0'], alias: 'sinkhole.example' }, REAL],
  ['no answer at all', 200, { raw: { base64: '', status: 500 } }, REAL],
];

/** Every way of asking about a target; `HOST` stands for its host. */
const ASKERS = [
  ['a create', 'POST', '/v1/links', 'application/json', '{"url":"https://HOST/","client_id":"a"}'],
  ['a batch', 'POST', '/v1/links/batch', 'application/json', '{"links":[{"url":"https://HOST/","client_id":"a"}]}'],
  ['an import', 'POST', '/v1/links/import', 'text/csv', 'url\nhttps://HOST/\n'],
  ['an edit', 'PATCH', '/v1/links/bcdfghjk', 'application/json', '{"url":"https://HOST/"}'],
  ['a domain', 'POST', '/v1/domains', 'application/json', '{"host":"go.HOST","root_url":"https://HOST/"}'],
] as const;

describe('a filtering resolver', () => {
  it.each(shareOf(OUTCOMES))('a filtering resolver that gives %s: %i', async (_what, status, filtering, truth) => {
    vi.spyOn(console, 'error').mockReturnValue();
    const host = await openHost(filtering, truth);
    const caller = await seedCaller();
    const before = await storedLinks();
    const response = await create(caller, `https://${host}/`);
    if (status === 400) await expectFailure(response, 400, REFUSAL);
    expect(response.status).toBe(status);
    expect((await storedLinks()).links - before.links).toBe(status === 200 ? 1 : 0);
  });

  it('a filtering resolver that does not respond in time does not prevent creates, and is logged', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const host = await openHost(BLOCKED, REAL);
    const gone = openIsolate({ TARGET_RESOLVER_URL: 'http://127.0.0.1:9/', DNS_RESOLVER_URL: TRUTH });
    expect((await create(await seedCaller(), `https://${host}/`, gone)).status).toBe(200);
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    expect((await create(await seedCaller(), `https://${host}/`)).status).toBe(200);
    expect(log.mock.calls.flat().filter((line) => String(line).includes('target_filter_failed'))).toHaveLength(2);
  });

  it('a filtering resolver that blocks a host since refuses new links, and leaves a create its first response under its Idempotency-Key', async () => {
    const host = await openHost(REAL, REAL);
    const caller = await seedCaller();
    const form = { url: `https://${host}/`, client_id: caller.clientId };
    const createOnce = async (key: string) =>
      isolate('/v1/links', { headers: { 'X-API-Key': caller.apiKey, 'Idempotency-Key': key }, form });
    const first = await (await createOnce('k')).json();
    await setDns(host, BLOCKED, FILTERING);
    const before = await storedLinks();
    const again = await createOnce('k');
    expect([again.status, await again.json()]).toEqual([200, first]);
    await expectFailure(await createOnce('k-2'), 400, REFUSAL);
    expect(await storedLinks()).toEqual(before);
  });

  it('a filtering resolver is not asked if none is set, or about IP addresses', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const host = await openHost(BLOCKED, REAL);
    fetched.mockClear();
    expect((await create(await seedCaller(), `https://${host}/`, openIsolate())).status).toBe(200);
    for (const url of ['http://192.0.2.1/', 'http://[2001:db8::1]/', 'http://intranet/']) {
      expect((await create(await seedCaller(), url)).status).toBe(200);
    }
    expect(fetched).not.toHaveBeenCalled();
  });

  it('a filtering resolver gets the host of a destination, and no more of it', async () => {
    const host = await openHost(REAL, REAL);
    const fetched = vi.spyOn(globalThis, 'fetch');
    const caller = await seedCaller();
    fetched.mockClear();
    await create(caller, `https://${host}:8443/private/path?token=secret#fragment`);
    const [[url, { body, headers } = {}] = []] = fetched.mock.calls;
    expect([fetched.mock.calls.length, url]).toEqual([1, new URL(FILTERING)]);
    expect(Object.keys(headers ?? {}).toSorted()).toEqual(['Accept', 'Content-Type']);
    const bytes = Buffer.from(body as Uint8Array);
    expect(dnsPacket.decode(bytes).questions).toEqual([{ name: host, type: 'A', class: 'IN' }]);
    expect(bytes.toString('latin1')).not.toMatch(new RegExp(`private|secret|fragment|8443|${caller.clientId}`));
  });

  it('a filtering resolver is asked by a batch, an import, an edit and the deprecated form as well, once for each host', async () => {
    const [bad, good] = [await openHost(BLOCKED, REAL), await openHost(REAL, REAL)];
    const caller = await seedCaller();
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    const urls = [`https://${bad}/`, `https://${bad}/2`, `https://${good}/`];

    const fetched = vi.spyOn(globalThis, 'fetch');
    const links = urls.map((url) => ({ url, client_id: caller.clientId }));
    const batch = await isolate('/v1/links/batch', { method: 'POST', headers, body: JSON.stringify({ links }) });
    const refused = { status: 400, error: REFUSAL };
    expect(await batch.json()).toMatchObject({ results: [refused, refused, { status: 201, link: { url: urls[2] } }] });
    expect(fetched).toHaveBeenCalledTimes(2);

    const file = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'text/csv' },
      body: `url\n${urls.join('\n')}\n`,
    };
    const error = { status: 'error', error: REFUSAL };
    expect(await (await isolate('/v1/links/import', file)).json()).toMatchObject({
      results: [error, error, { status: 'unchanged' }],
    });

    const { id } = await seedLink(caller);
    const edit = { method: 'PATCH', headers, body: JSON.stringify({ url: urls[0] }) };
    await expectFailure(await isolate(`/v1/links/${id}`, edit), 400, REFUSAL);
    const form = { url: urls[0]!, client_id: caller.clientId };
    await expectFailure(await isolate('/shortener/encode', { headers: bearerOf(caller), form }), 400, REFUSAL);
  });

  it('a filtering resolver is asked about what a domain leads to', async () => {
    const [bad, good] = [await openHost(BLOCKED, REAL), await openHost(REAL, REAL)];
    const caller = await seedCaller();
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    const send = (method: string, path: string, body: object) =>
      isolate(path, { method, headers, body: JSON.stringify(body) });
    for (const field of ['root_url', 'not_found_url']) {
      const refusal = REFUSAL.replace('url', field);
      const body = { host: newHost(), [field]: `https://${bad}/` };
      await expectFailure(await send('POST', '/v1/domains', body), 400, refusal);
      const made = await send('POST', '/v1/domains', { ...body, [field]: `https://${good}/` });
      expect(made.status).toBe(201);
      const { id } = await made.json<{ id: string }>();
      await expectFailure(await send('PATCH', `/v1/domains/${id}`, { [field]: `https://${bad}/` }), 400, refusal);
      expect((await send('PATCH', `/v1/domains/${id}`, { [field]: null })).status).toBe(200);
    }
  });

  it('a filtering resolver is asked when a former destination is restored, and not when an edit keeps the destination', async () => {
    const host = await openHost(REAL, REAL);
    const caller = await seedCaller();
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    const { id } = await seedLink(caller, { url: `https://${host}/` });
    const edit = (change: object) =>
      isolate(`/v1/links/${id}`, { method: 'PATCH', headers, body: JSON.stringify(change) });
    await setDns(host, BLOCKED, FILTERING);
    expect((await edit({ url: `https://${host}/`, campaign_name: 'x' })).status).toBe(200);
    expect((await edit({ url: 'https://192.0.2.1/' })).status).toBe(200);
    const back = await isolate(`/v1/links/${id}/history/1/restore`, { method: 'POST', headers });
    await expectFailure(back, 400, REFUSAL);
  });

  it.each(ASKERS)(
    'a filtering resolver is not asked by %s with a made-up credential',
    async (_what, method, path, type, body) => {
      const host = await openHost(BLOCKED, REAL);
      const headers = { 'X-API-Key': `tk_${'a'.repeat(12)}_${'b'.repeat(43)}`, 'Content-Type': type };
      const fetched = vi.spyOn(globalThis, 'fetch');
      const { status } = await isolate(path, { method, headers, body: body.replaceAll('HOST', host) });
      expect([status, fetched.mock.calls]).toEqual([401, []]);
    },
  );

  it('a filtering resolver is asked about a hundred hosts of a file, and about the rest when it is imported again', async () => {
    const caller = await seedCaller();
    const hosts = Array.from({ length: 120 }, newHost);
    for (const host of hosts) {
      await setDns(host, REAL, FILTERING);
      await setDns(host, REAL);
    }
    const [last = ''] = hosts.slice(-1);
    await setDns(last, BLOCKED, FILTERING);
    const body = `url\nhttp://192.0.2.1/\n${hosts.map((host) => `https://${host}/`).join('\n')}\n`;
    const file = { method: 'POST', headers: { ...bearerOf(caller), 'Content-Type': 'text/csv' }, body };
    const importAll = async () =>
      (await isolate('/v1/links/import', file)).json<{ results: { status: string; error?: string }[] }>();
    const first = await importAll();
    expect(first).toMatchObject({ created: 101, unchanged: 0, errors: 20 });
    expect(first.results.at(-1)).toEqual({
      row: 122,
      status: 'error',
      error:
        'too_many_rows: The new links of one import can lead to at most 100 hosts, since each host is checked. Import the same file again for the rest.',
    });
    const again = await importAll();
    expect(again).toMatchObject({ created: 19, unchanged: 101, errors: 1 });
    expect(again.results.at(-1)).toMatchObject({ row: 122, status: 'error', error: REFUSAL });
  });

  it('a filtering resolver is waited for once, however many parts a file is written in', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const caller = await seedCaller();
    const slow = await Promise.all([0, 1, 2].map(() => openHost({ ...REAL, afterMs: 3000 }, REAL)));
    const urls = Array.from({ length: 600 }, (_, i) => `https://${slow[Math.floor(i / 250)]}/${i}`);
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeout);
    const headers = { ...bearerOf(caller), 'Content-Type': 'text/csv' };
    const response = await isolate('/v1/links/import?dry_run=true', {
      method: 'POST',
      headers,
      body: `url\n${urls.join('\n')}\n`,
    });
    expect(response.status).toBe(200);
    expect(patience.mock.calls.reduce((sum, [milliseconds]) => sum + milliseconds, 0)).toBeLessThan(4000);
  });
});
