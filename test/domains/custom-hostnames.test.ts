import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newHost, openDomainIsolate, request, seedClaim, serveHosts, type RequestContext } from '../support/domains.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { seedDomain } from '../support/seed.ts';

const ZONE = '0123456789abcdef0123456789abcdef';
const SETTINGS = { CF_ZONE_ID: ZONE, CF_API_TOKEN: 'secret-token', DOMAIN_TARGET: 'domains.example.com' };
const API = `https://api.cloudflare.com/client/v4/zones/${ZONE}/custom_hostnames`;

/** Cloudflare’s API as far as it is used here, with one answer for each method. */
let answers: Record<string, () => Response>;
let calls: { readonly method: string; readonly url: string; readonly token: string | null; readonly body: unknown }[];

const ok = (result: unknown) => () => Response.json({ success: true, errors: [], messages: [], result });
const refused = (status: number, code: number) => () =>
  Response.json({ success: false, errors: [{ code, message: 'no' }], messages: [], result: null }, { status });

beforeEach(() => {
  calls = [];
  answers = { POST: ok({ id: 'h1', status: 'pending' }), GET: ok([]), DELETE: ok({ id: 'h1' }) };
  serveHosts((host) => {
    if (host !== 'api.cloudflare.com') return undefined;
    return async (asked) => {
      const { method, url, headers } = asked;
      const body = method === 'POST' ? await asked.json() : null;
      calls.push({ method, url, token: headers.get('Authorization'), body });
      return answers[method]?.() ?? new Response(null, { status: 500 });
    };
  });
});
afterEach(() => void vi.restoreAllMocks());

const askCloudflare = (caller: Caller, path: string, asked: RequestContext = {}) =>
  request(caller, path, { ...asked, through: openDomainIsolate(SETTINGS) });

const add = async (caller: Caller, host: string) =>
  (await askCloudflare(caller, '/v1/domains', { body: { host } })).json<{ id: string; next: string }>();

describe('a zone of Cloudflare for SaaS', () => {
  it('a zone of Cloudflare for SaaS creates the custom hostname of a domain that is added, and leaves nothing to the operator', async () => {
    const host = newHost();
    const { next } = await add(await seedCaller(), host);
    expect(calls).toEqual([
      {
        method: 'POST',
        url: API,
        token: 'Bearer secret-token',
        body: { hostname: host, ssl: { method: 'http', type: 'dv', settings: { min_tls_version: '1.2' } } },
      },
    ]);
    expect(next).toMatch(/the CNAME record .* to domains\.example\.com, then call POST .*\/verify\.$/);
  });

  it('a zone of Cloudflare for SaaS is content with a custom hostname that there is', async () => {
    answers['POST'] = refused(409, 1406);
    expect((await add(await seedCaller(), newHost())).next).not.toContain('Cloudflare');
  });

  it.each([
    ['refuses', refused(403, 1400)],
    ['answers no JSON', () => new Response('<html>', { status: 502 })],
    ['answers other JSON', () => Response.json([])],
  ])(
    'a zone of Cloudflare for SaaS adds the domain even if Cloudflare %s, says so, and tries again when verifying',
    async (_what, answer) => {
      const caller = await seedCaller();
      answers['POST'] = answer;
      const { id, next } = await add(caller, newHost());
      const words = 'Cloudflare has not accepted the domain yet; verify it again to retry.';
      expect(next).toContain(words);
      const verify = () => askCloudflare(caller, `/v1/domains/${id}/verify`, { method: 'POST' });
      expect(await (await verify()).json()).toMatchObject({ status: 'pending', next: expect.stringContaining(words) });
      answers['POST'] = ok({ id: 'h1' });
      expect((await (await verify()).json<{ next: string }>()).next).not.toContain('Cloudflare');
      expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
    },
  );

  it('a zone of Cloudflare for SaaS asks for no custom hostname where the domain is refused', async () => {
    const caller = await seedCaller();
    const host = newHost();
    await seedClaim(caller, { host });
    expect((await askCloudflare(caller, '/v1/domains', { body: { host } })).status).toBe(409);
    expect(calls).toEqual([]);
  });

  it('a zone of Cloudflare for SaaS removes the custom hostname with the domain, and no other', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const { id } = await add(caller, host);
    answers['GET'] = ok([
      { id: 'h1', hostname: host },
      { id: 'h2', hostname: `www.${host}` },
    ]);
    expect((await askCloudflare(caller, `/v1/domains/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(calls.slice(1).map(({ method, url }) => [method, url])).toEqual([
      ['GET', `${API}?hostname=${host}`],
      ['DELETE', `${API}/h1`],
    ]);
  });

  it('a zone of Cloudflare for SaaS keeps the custom hostname that another client is served by', async () => {
    const [owner, claimant] = [await seedCaller(), await seedCaller()];
    const host = await seedDomain(owner);
    const { id } = await add(claimant, host);
    expect((await askCloudflare(claimant, `/v1/domains/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(calls.map(({ method }) => method)).toEqual(['POST']);
  });
});
