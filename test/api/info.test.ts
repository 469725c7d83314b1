import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { NO_CLICKS, seedDomain, seedLink, signIn, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

const NO_LINK = 'not_found: There is no link with this id, client_id and sec_id that you can access.';
const NO_CREDENTIAL = 'missing_credential: Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".';

it('GET /shortener/info returns the whole record that the create gave, and its clicks', async () => {
  const caller = await seedCaller();
  const custom_domain = await seedDomain(caller);
  const earliest = Date.now();
  const fields = { campaign_name: 'Früh "26"', custom_domain, metadata: '{ "a":1 }\r\n', sec_id: 'print~1' };
  const made = await seedLink(caller, { url: 'HTTPS://Example.com:443/ü?q=a b#f', ...fields });

  const response = await call(`/info/${made.id}/${made.client_id}/print~1`, { headers: bearerOf(caller) });
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  const body = await response.json<{ result: string }>();
  expect(Object.keys(body)).toEqual(['result']);
  const record = JSON.parse(body.result);
  expect(record).toEqual({
    id: made.id,
    short_url: `https://${custom_domain}/${made.id}`,
    url: 'https://example.com/%C3%BC?q=a%20b#f',
    client_id: caller.clientId,
    ...fields,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    clicks: NO_CLICKS,
  });
  expect(record).toEqual({ ...made, clicks: NO_CLICKS });
  expect(Date.parse(record.created_at)).toBeGreaterThanOrEqual(earliest);
  expect(Date.parse(record.created_at)).toBeLessThanOrEqual(Date.now());
});

it('GET /shortener/info returns null for each optional that the create did not give', async () => {
  const caller = await seedCaller();
  const made = await seedLink(caller);
  const response = await call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers: bearerOf(caller) });
  const { result } = await response.json<{ result: string }>();
  expect(JSON.parse(result)).toEqual({
    ...made,
    campaign_name: null,
    custom_domain: null,
    metadata: null,
    clicks: NO_CLICKS,
  });
});

it('GET /shortener/info distinguishes links of the same sec_id by their ids', async () => {
  const caller = await seedCaller();
  const links = [await seedLink(caller, { sec_id: 'same' }), await seedLink(caller, { sec_id: 'same' })];
  const records = links.map(async ({ id, client_id, sec_id }) => {
    const response = await call(`/info/${id}/${client_id}/${sec_id}`, { headers: bearerOf(caller) });
    return JSON.parse((await response.json<{ result: string }>()).result);
  });
  expect(await Promise.all(records)).toEqual(links.map((link) => ({ ...link, clicks: NO_CLICKS })));
});

it('GET /shortener/info works for a caller who has only a password', async () => {
  const tenant = await seedTenant();
  const made = await seedLink(tenant);
  const headers = { Authorization: `Bearer ${(await signIn(tenant)).access_token}` };
  expect((await call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers })).status).toBe(200);
});

it('GET /shortener/info decodes each part of the path once', async () => {
  const caller = await seedCaller();
  const made = await seedLink(caller, { sec_id: 'a~b' });
  const ask = (path: string) => call(path, { headers: bearerOf(caller) });
  const escapeAll = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
  const parts = [made.id, made.client_id, made.sec_id];

  expect((await ask(`/info/${parts.map(escapeAll).join('/')}`)).status).toBe(200);
  for (const at of [0, 1, 2]) {
    const twice = parts.map((text, index) => (index === at ? escapeAll(text).replaceAll('%', '%25') : text));
    await expectFailure(await ask(`/info/${twice.join('/')}`), 400, NO_LINK);
  }
});

it.each([
  ['an unknown id', '66666666/CLIENT/SEC'],
  ['an id in another case', 'SWAPPED/CLIENT/SEC'],
  ['another sec_id', 'ID/CLIENT/other'],
  ['a sec_id in another case', 'ID/CLIENT/Sec-1'],
  ['an unknown client', 'ID/nobody/SEC'],
  ['the parts in another order', 'ID/SEC/CLIENT'],
  ['a slash inside a part', 'ID/CLIENT/SEC%2F'],
  ['an escape that is none', 'ID/CLIENT/%ZZ'],
  ['an escape that is cut short', 'ID/CLIENT/SEC%'],
  ['bytes that are not UTF-8', 'ID/CLIENT/%FF%FE'],
  ['a NUL', 'ID/CLIENT/SEC%00'],
  ['a wildcard', 'ID/CLIENT/%25'],
  ['a quote', `ID/CLIENT/x'%20OR%20'1'='1`],
  ['5,000 characters', `ID/CLIENT/${'x'.repeat(5000)}`],
])('GET /shortener/info gives %s the same body as everything that does not match', async (_what, path) => {
  const caller = await seedCaller();
  const { id } = await seedLink(caller, { sec_id: 'sec-1' });
  const swapped = id.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  const asked = path.replace('SWAPPED', swapped).replace('ID', id).replace('CLIENT', caller.clientId);
  const response = await call(`/info/${asked.replace('SEC', 'sec-1')}`, { headers: bearerOf(caller) });
  await expectFailure(response, 400, NO_LINK);
});

it('GET /shortener/info does not find a deleted link, and says that it was deleted only to its own client', async () => {
  const caller = await seedCaller();
  const made = await seedLink(caller);
  const ask = () => call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers: bearerOf(caller) });
  expect((await ask()).status).toBe(200);
  await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(made.id).run();
  const deleted =
    'not_found: This link has been deleted. Within 30 days of its deletion, POST /v1/links/{id}/restore restores it.';
  await expectFailure(await ask(), 400, deleted);
  const others = { headers: bearerOf(await seedCaller()) };
  await expectFailure(await call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, others), 400, NO_LINK);
  const otherSecId = `/info/${made.id}/${made.client_id}/other`;
  await expectFailure(await call(otherSecId, { headers: bearerOf(caller) }), 400, NO_LINK);
});

it.each<[what: string, headers: Record<string, string>]>([
  ['no credential', {}],
  ['a password', { Authorization: 'Basic dXNlcjpwYXNzd29yZA==' }],
  ['a scheme without a token', { Authorization: 'Bearer ' }],
  ['a scheme that begins like Bearer', { Authorization: 'Bearers token' }],
  ['an API key in its own header', { 'X-API-Key': 'tk_000000000000_0' }],
  ['a token in the query', {}],
])('GET /shortener/info asks for a token where there is %s', async (what, headers) => {
  const path = what.endsWith('query') ? '/info/a/b/c?access_token=x' : '/info/a/b/c';
  const response = await call(path, { headers });
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="terse"');
  await expectFailure(response, 401, NO_CREDENTIAL);
});

it.each<[what: string, token: string]>([
  ['a token that is none', 'x.y.z'],
  ['an unsigned token', `${btoa('{"alg":"none"}').replaceAll('=', '')}.${btoa('{"sub":"x"}').replaceAll('=', '')}.`],
  ['a token of 8 KiB', 'x'.repeat(8192)],
])('GET /shortener/info refuses %s', async (_what, token) => {
  const response = await call('/info/a/b/c', { headers: { Authorization: `Bearer ${token}` } });
  const sentence = 'The token is not valid or has expired. Get a new one with GET /tokens/create_token.';
  const bad = `Bearer realm="terse", error="invalid_token", error_description="${sentence}"`;
  expect(response.headers.get('WWW-Authenticate')).toBe(bad);
  await expectFailure(response, 401, `invalid_credential: ${sentence}`);
});

it('GET /shortener/info takes the scheme of the credential in any case', async () => {
  const caller = await seedCaller();
  const made = await seedLink(caller);
  for (const scheme of ['bearer', 'BEARER']) {
    const headers = { Authorization: `${scheme} ${caller.accessToken}` };
    expect((await call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers })).status).toBe(200);
  }
});

it('GET /shortener/info has for HEAD the response of GET, without the body', async () => {
  const caller = await seedCaller();
  const made = await seedLink(caller);
  const head = (secId: string) =>
    call(`/info/${made.id}/${made.client_id}/${secId}`, { method: 'HEAD', headers: bearerOf(caller) });
  const [found, missing] = [await head(made.sec_id), await head('another')];
  expect([found.status, await found.text()]).toEqual([200, '']);
  expect([missing.status, await missing.text()]).toEqual([400, '']);
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'GET /shortener/info refuses %s and says what it allows',
  async (method) => {
    const response = await call('/info/a/b/c', { method });
    expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    await expectFailure(response, 405, `method_not_allowed: ${method} is not possible here. Use GET or HEAD.`);
  },
);

it.each(['/info', '/info/', '/info/a', '/info/a/b', '/info/a/b/', '/info//b/c', '/info/a/b/c/', '/info/a/b/c/d'])(
  'GET /shortener/info knows no path %s',
  async (path) => {
    const response = await call(path, { headers: bearerOf(await seedCaller()) });
    await expectFailure(response, 404, 'not_found: There is nothing at this path.');
  },
);

it('GET /shortener/info gives short_url on the origin of the request where no public one is set', async () => {
  const isolate = openIsolate({ PUBLIC_URL: '' });
  const tenant = await seedTenant();
  const origin = 'http://localhost:8787';
  const through = (path: string, init?: Parameters<typeof call>[1]) => isolate(`${origin}${path}`, init);
  const made = await seedLink(tenant, {}, through);
  const headers = { Authorization: `Bearer ${(await signIn(tenant, through)).access_token}` };
  const response = await through(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers });
  const { result } = await response.json<{ result: string }>();
  expect(JSON.parse(result)).toMatchObject({ short_url: `${origin}/${made.id}` });
});
