import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rowsOf, seedTenant, signIn, type Tenant, type Tokens } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { changed, refresh } from '../support/tokens.ts';

afterEach(() => {
  vi.useRealTimers();
});

const formOf = ({ clientId }: Tenant) => ({ url: 'https://example.com/', client_id: clientId });

const encode = (tenant: Tenant, token: string, through: Call) =>
  through('/shortener/encode', { headers: { Authorization: `Bearer ${token}` }, form: formOf(tenant) });

describe('the cutoff', () => {
  const CUTOFF = Date.parse('2031-05-01T12:00:00Z') / 1000;
  const retiring = () => openIsolate({ ENCODE_CUTOFF: '2031-05-01T12:00:00Z' });
  const RETIRED = {
    result: 'Failed',
    error:
      'encode_retired: POST /shortener/encode no longer accepts new tokens. Send the same form to POST /v1/links, ' +
      'with an API key from the platform or the api_token of GET /tokens/create_token in the header X-API-Key.',
  };

  /** The tokens of a sign-in at some second of the clock, which then stays there. */
  async function signInAt(seconds: number): Promise<{ tenant: Tenant; tokens: Tokens }> {
    const tenant = await seedTenant();
    vi.setSystemTime(seconds * 1000);
    return { tenant, tokens: await signIn(tenant) };
  }

  it.each([
    ['an hour before', -3600, 200],
    ['a second before', -1, 200],
    ['at the very second', 0, 403],
    ['a second after', 1, 403],
    ['an hour after', 3600, 403],
  ])('the cutoff depends on the iat of a token, to the second: %s', async (_what, offset, status) => {
    const { tenant, tokens } = await signInAt(CUTOFF - 3600);
    const iat = CUTOFF + offset;
    const token = await changed(tokens.access_token, { claims: { iat, exp: CUTOFF + 7200 } });
    vi.setSystemTime((CUTOFF + 3600) * 1000);
    const response = await encode(tenant, token, retiring());
    expect(response.status).toBe(status);
    expect((await rowsOf('links')).filter((row) => row['client_id'] === tenant.clientId)).toHaveLength(
      status === 200 ? 1 : 0,
    );
  });

  it.each([
    [CUTOFF - 0.001, 200],
    [CUTOFF, 403],
    [CUTOFF + 0.999, 403],
  ])('the cutoff compares whole seconds: a sign-in at %f gets %i', async (seconds, status) => {
    const { tenant, tokens } = await signInAt(seconds);
    expect((await encode(tenant, tokens.access_token, retiring())).status).toBe(status);
  });

  it('the cutoff says what to do instead, and that works', async () => {
    const { tenant, tokens } = await signInAt(CUTOFF);
    const isolate = retiring();
    const response = await encode(tenant, tokens.access_token, isolate);
    expect([response.status, await response.json()]).toEqual([403, RETIRED]);
    expect(response.headers.get('Link')).toContain('</v1/links>; rel="successor-version"');

    const headers = { 'X-API-Key': tokens.api_token };
    expect((await isolate('/v1/links', { headers, form: formOf(tenant) })).status).toBe(200);
  });

  it('the cutoff leaves a token of before to work until it expires, and no longer its refreshed one', async () => {
    const { tenant, tokens } = await signInAt(CUTOFF - 1);
    const isolate = retiring();
    const expiresAt = Number(decodeJwt(tokens.access_token).exp);
    vi.setSystemTime((expiresAt - 1) * 1000);
    expect((await encode(tenant, tokens.access_token, isolate)).status).toBe(200);
    const renewed = await (await refresh(tokens.refresh_token)).json<Tokens>();
    expect((await encode(tenant, renewed.access_token, isolate)).status).toBe(403);
    vi.setSystemTime(expiresAt * 1000);
    expect((await encode(tenant, tokens.access_token, isolate)).status).toBe(401);
  });

  it('the cutoff of /shortener/encode is off where none is set', async () => {
    const { tenant, tokens } = await signInAt(CUTOFF + 10 * 365 * 24 * 3600);
    expect((await encode(tenant, tokens.access_token, openIsolate({ ENCODE_CUTOFF: '' }))).status).toBe(200);
  });

  it('the cutoff says nothing to a caller whose token is not valid', async () => {
    const { tenant, tokens } = await signInAt(CUTOFF);
    const forged = await changed(tokens.access_token, { claims: { iss: 'https://other.example' } });
    expect((await encode(tenant, forged, retiring())).status).toBe(401);
  });
});
