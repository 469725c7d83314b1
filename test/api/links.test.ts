import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { expectFailure } from '../support/forms.ts';
import { seedLink, seedTenant, signIn } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { BEARER_CHALLENGE, MISPLACED_CHALLENGE } from '../support/tokens.ts';

it('creates a link and responds with its whole record as JSON text', async () => {
  const tenant = await seedTenant();
  const response = await call('/v1/links', {
    headers: { 'X-API-Key': tenant.apiKey },
    form: {
      url: 'HTTPS://Example.com/a b?q=ü#f',
      client_id: tenant.clientId,
      campaign_name: 'Spring 2026',
      metadata: '{ "team": "web" }\r\n',
      sec_id: 'print-1',
    },
  });

  expect(response.status).toBe(200);
  const body = await response.json<{ result: string }>();
  expect(Object.keys(body)).toEqual(['result']);
  const record = JSON.parse(body.result);
  expect(record).toEqual({
    id: expect.stringMatching(/^[6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz]{8}$/),
    short_url: `https://terse.test/${record.id}`,
    url: 'https://example.com/a%20b?q=%C3%BC#f',
    client_id: tenant.clientId,
    sec_id: 'print-1',
    campaign_name: 'Spring 2026',
    custom_domain: null,
    metadata: '{ "team": "web" }\r\n',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

it('creates a sec_id where none is given, and leaves absent optionals null', async () => {
  const tenant = await seedTenant();
  const record = await seedLink(tenant, { campaign_name: '', metadata: '', sec_id: '' });
  expect(record).toMatchObject({ campaign_name: null, metadata: null, custom_domain: null });
  expect(record.sec_id).toMatch(/^[\w]{8}$/);
});

it('takes an api_token wherever it takes an API key', async () => {
  const tenant = await seedTenant();
  const { api_token } = await signIn(tenant);
  const form = { url: 'https://example.com/', client_id: tenant.clientId };
  const response = await call('/v1/links', { headers: { 'X-API-Key': api_token }, form });
  expect(response.status).toBe(200);
});

it('accepts an access token too, and asks a caller without a credential for an API key', async () => {
  const tenant = await seedTenant();
  const { access_token } = await signIn(tenant);
  const form = { url: 'https://example.com/', client_id: tenant.clientId };
  const create = (headers: Record<string, string>) => call('/v1/links', { headers, form });
  const made = await create({ Authorization: `Bearer ${access_token}` });
  expect(made.status).toBe(200);
  expect(Object.keys(await made.json<object>())).toEqual(['result']);
  const none = await create({});
  expect([none.status, none.headers.get('WWW-Authenticate')]).toEqual([401, 'ApiKey realm="terse"']);
  await expectFailure(none, 401, 'missing_credential: Send an API key in the header X-API-Key.');
});

it('explains a bad bearer token in WWW-Authenticate, and a bad key without words about tokens', async () => {
  const tenant = await seedTenant();
  const { access_token, api_token } = await signIn(tenant);
  const form = { url: 'https://example.com/', client_id: tenant.clientId };
  const challengeOf = async (headers: Record<string, string>) => {
    const response = await call('/v1/links', { headers, form });
    expect(response.status).toBe(401);
    return response.headers.get('WWW-Authenticate');
  };
  const both = `${BEARER_CHALLENGE}, ApiKey realm="terse"`;
  expect(await challengeOf({ Authorization: `Bearer ${api_token}` })).toBe(
    `${MISPLACED_CHALLENGE}, ApiKey realm="terse"`,
  );
  expect(await challengeOf({ Authorization: 'Bearer x' })).toBe(both);
  expect(await challengeOf({ Authorization: tenant.basic })).toBe('Bearer realm="terse", ApiKey realm="terse"');
  const key = { 'X-API-Key': access_token, Authorization: `Bearer ${access_token}` };
  expect(await challengeOf(key)).toBe('ApiKey realm="terse"');
});

it('a link keeps who created it, and the credential is checked once if nothing fails', async () => {
  const tenant = await seedTenant();
  const { access_token } = await signIn(tenant);
  const batch = vi.spyOn(env.DB, 'batch');
  const form = { url: 'https://example.com/', client_id: tenant.clientId, campaign_name: 'who' };
  const credentials = [{ 'X-API-Key': tenant.apiKey }, { Authorization: `Bearer ${access_token}` }];
  for (const headers of credentials) expect((await call('/v1/links', { headers, form })).status).toBe(200);

  const keyId = tenant.apiKey.split('_')[1];
  const { results } = await env.DB.prepare(
    `SELECT user_id, key_id FROM links WHERE client_id = ?1 AND campaign_name = 'who' ORDER BY created_at, key_id DESC`,
  )
    .bind(tenant.clientId)
    .all();
  expect(results).toEqual([
    { user_id: tenant.userId, key_id: keyId },
    { user_id: tenant.userId, key_id: null },
  ]);
  // The statement that checks failed creates, after the guard and two inserts: it reads the list and the link, and
  // sorts the rest.
  const reads = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
  expect(reads.map((create) => create[3]?.meta.rows_read)).toEqual([3, 3]);
});
