import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replaceD1 } from '../support/d1.ts';
import { EXAMPLE, CREATORS, bearerOf, expectFailure, seedCaller, storedLinks } from '../support/forms.ts';
import { stopClock } from '../support/limits.ts';
import { seedDomain, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { ORIGIN, call, openIsolate } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function create(path: string, headers: Record<string, string>, fields: Record<string, string>): Promise<Response> {
  return call(path, { headers, form: { url: EXAMPLE, ...fields } });
}

describe.each(CREATORS)('POST $path', ({ path, headersOf }) => {
  it('a create reports a missing credential, then an invalid form, then an invalid credential', async () => {
    const caller = await seedCaller();
    const bad = headersOf({ ...caller, apiKey: `tk_${'0'.repeat(12)}_${'0'.repeat(43)}`, accessToken: 'x.y.z' });
    const statusAndCode = async (headers: Record<string, string>, init: Parameters<typeof call>[1]) => {
      const response = await call(path, { method: 'POST', headers, ...init });
      const { error } = await response.json<{ error: string }>();
      return `${response.status} ${error.split(':')[0]}`;
    };
    const good = { form: { url: EXAMPLE, client_id: caller.clientId } };
    const colour = { form: { ...good.form, colour: 'red' } };

    expect(await statusAndCode({}, { body: '{}' })).toBe('401 missing_credential');
    expect(await statusAndCode({}, colour)).toBe('401 missing_credential');
    expect(await statusAndCode(bad, { body: '{}' })).toBe('415 unsupported_media_type');
    expect(await statusAndCode(bad, colour)).toBe('400 unknown_field');
    expect(await statusAndCode(bad, { form: { ...good.form, metadata: 'x'.repeat(65_536) } })).toBe(
      '413 body_too_large',
    );
    expect(await statusAndCode(bad, { form: { ...good.form, client_id: '..' } })).toBe('400 invalid_client_id');
    expect(await statusAndCode(bad, { form: { ...good.form, url: ORIGIN } })).toBe('400 own_host');
    expect(await statusAndCode(bad, good)).toBe('401 invalid_credential');
    expect(await statusAndCode(headersOf(caller), { form: { ...good.form, client_id: 'another' } })).toBe(
      '403 wrong_client',
    );
  });
});

const LIMITS = [
  ['CREATE_LIMIT', 'This credential creates links too quickly. Slow down, then try again.'],
  ['CREATE_ADDRESS_LIMIT', 'Your address creates links too quickly. Slow down, then try again.'],
] as const;

describe.each(CREATORS)('the limits of creates on POST $path', ({ path, headersOf }) => {
  it.each(LIMITS)(
    'the limits of creates give one create too many for %s 429, and say when to try again',
    async (name, sentence) => {
      const caller = await seedCaller();
      stopClock();
      const isolate = openIsolate();
      const headers = { ...headersOf(caller), 'CF-Connecting-IP': caller.address };
      const ask = () => isolate(path, { headers, form: { url: EXAMPLE, client_id: caller.clientId } });
      vi.spyOn(env[name], 'limit').mockResolvedValue({ success: false });
      // An address is counted after the answer.
      if (name === 'CREATE_ADDRESS_LIMIT') expect((await ask()).status).toBe(200);
      const before = await storedLinks();
      const response = await ask();
      const seconds = Number(response.headers.get('Retry-After'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      await expectFailure(response, 429, `too_many_requests: ${sentence}`);
      expect(await storedLinks()).toEqual(before);
    },
  );

  it.each(LIMITS)('the limits of creates let everyone pass while %s fails', async (name) => {
    const caller = await seedCaller();
    vi.spyOn(env[name], 'limit').mockRejectedValue(new Error('out of order'));
    vi.spyOn(console, 'error').mockReturnValue();
    expect((await create(path, headersOf(caller), { client_id: caller.clientId })).status).toBe(200);
  });

  it('the limits of creates count an address, and of IPv6 its /64', async () => {
    const caller = await seedCaller();
    const limit = vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit');
    const isolate = openIsolate();
    const form = { url: EXAMPLE, client_id: caller.clientId };
    for (const address of ['203.0.113.9', '2001:db8:1:2::7', '2001:DB8:1:2:ffff::1']) {
      await isolate(path, { headers: { ...headersOf(caller), 'CF-Connecting-IP': address }, form });
    }
    expect(limit.mock.calls.map(([{ key }]) => key)).toEqual(['203.0.113.9', '2001:db8:1:2::/64', '2001:db8:1:2::/64']);
  });

  it('the limits of creates are not asked where they are off', async () => {
    const caller = await seedCaller();
    const limits = LIMITS.map(([name]) => vi.spyOn(env[name], 'limit'));
    const calls = () => limits.map((limit) => limit.mock.calls.length);
    const form = { url: EXAMPLE, client_id: caller.clientId };
    const isolate = openIsolate({ CREATE_LIMITING: 'off' });
    expect((await isolate(path, { headers: headersOf(caller), form })).status).toBe(200);
    expect(calls()).toEqual([0, 0]);
    expect((await openIsolate()(path, { headers: headersOf(caller), form })).status).toBe(200);
    expect(calls()).toEqual([1, 1]);
  });
});

describe('a request while D1 does not respond', () => {
  const OUTAGE = new Error('D1_ERROR: no such host /var/secret/db.sqlite3: SQLITE_CANTOPEN');
  function breakDatabase(): void {
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw OUTAGE;
    });
    replaceD1(async () => {
      throw OUTAGE;
    });
    vi.spyOn(console, 'error').mockReturnValue();
  }

  it.each<[what: string, ask: () => Promise<() => Promise<Response>>]>([
    [
      'GET /tokens/create_token',
      async () => {
        const { basic } = await seedTenant();
        return () => call('/tokens/create_token', { headers: { Authorization: basic } });
      },
    ],
    [
      'POST /tokens/refresh_token',
      async () => {
        const { refresh_token } = await signIn(await seedTenant());
        return () => call('/tokens/refresh_token', { form: { refresh_token } });
      },
    ],
    [
      'POST /tokens/revoke_token',
      async () => {
        const { refresh_token } = await signIn(await seedTenant());
        return () => call('/tokens/revoke_token', { form: { token: refresh_token } });
      },
    ],
    [
      'POST /v1/links',
      async () => {
        const { apiKey, clientId } = await seedCaller();
        return () => create('/v1/links', { 'X-API-Key': apiKey }, { client_id: clientId });
      },
    ],
    [
      'POST /shortener/encode',
      async () => {
        const caller = await seedCaller();
        return () => create('/shortener/encode', bearerOf(caller), { client_id: caller.clientId });
      },
    ],
    [
      'GET /info',
      async () => {
        const caller = await seedCaller();
        const { id, client_id, sec_id } = await seedLink(caller);
        return () => call(`/info/${id}/${client_id}/${sec_id}`, { headers: bearerOf(caller) });
      },
    ],
    [
      'a short link',
      async () => {
        const { id } = await seedLink(await seedCaller());
        return () => call(`/${id}`);
      },
    ],
    [
      'robots.txt of a custom domain',
      async () => {
        const host = await seedDomain(await seedCaller());
        return () => call(`https://${host}/robots.txt`);
      },
    ],
  ])('an endpoint that needs D1 says when to try again, and nothing of why: %s', async (_what, ask) => {
    const repeat = await ask();
    breakDatabase();
    const response = await repeat();
    expect(response.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    await expectFailure(response, 503, expect.stringMatching(/^store_unavailable: The database (is|did) /));
    expect([...response.headers].flat().join()).not.toMatch(/sqlite|D1_ERROR|\.ts:\d/i);

    vi.restoreAllMocks();
    expect((await repeat()).status).toBeLessThan(400);
  });

  it('GET /tokens/token_info, which reads no store, works while D1 does not respond', async () => {
    const caller = await seedCaller();
    breakDatabase();
    expect((await call('/tokens/token_info', { headers: bearerOf(caller) })).status).toBe(200);
  });
});

it('reports a bug without details, and logs them', async () => {
  const caller = await seedCaller();
  vi.spyOn(env.DB, 'batch').mockResolvedValue([]);
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const response = await create('/v1/links', { 'X-API-Key': caller.apiKey }, { client_id: caller.clientId });
  await expectFailure(response, 500, 'internal_error: Something went wrong on our side. The error has been logged.');
  expect(log.mock.calls.flat().join()).toContain(response.headers.get('X-Request-Id'));
  expect(log.mock.calls.flat().join()).toContain('TypeError: ');
});
