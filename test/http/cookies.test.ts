import { expect, it } from 'vitest';
import { EXAMPLE, seedCaller } from '../support/forms.ts';
import { openBrowser } from '../support/platform.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';

const PATHS = [
  '/tokens/create_token',
  '/tokens/token_info',
  '/v1/links',
  '/v1/links/export',
  '/v1/stats',
  '/v1/keys',
  '/v1/members',
  '/v1/audit',
  '/health?deep=1',
];

it('the cookie of a session is no credential for the API, and neither is its value elsewhere', async () => {
  const caller = await seedCaller();
  const { id, client_id, sec_id } = await seedLink(caller);
  const { browse, cookie, value } = await openBrowser(caller);
  const links = await rowsOf('links');
  for (const path of [...PATHS, `/info/${id}/${client_id}/${sec_id}`, `/v1/links/${id}`]) {
    for (const headers of [
      { Cookie: cookie },
      { Cookie: cookie, Origin: ORIGIN },
      { Authorization: `Bearer ${value}` },
    ])
      expect([path, (await call(path, { headers })).status]).toEqual([path, 401]);
  }
  const form = { url: EXAMPLE, client_id };
  for (const headers of [{ Cookie: cookie }, { 'X-API-Key': value }, { Authorization: `Bearer ${value}` }])
    expect((await call('/v1/links', { headers, form })).status).toBe(401);
  expect((await call('/shortener/encode', { headers: { Cookie: cookie }, form })).status).toBe(401);
  expect((await call('/tokens/refresh_token', { form: { refresh_token: value } })).status).toBe(401);
  expect(await rowsOf('links')).toEqual(links);
  expect((await call('/tokens/revoke_token', { form: { token: value } })).status).toBe(200);
  expect((await browse('/platform/account')).status).toBe(200);
});

it('the pages of the platform respond to no preflight', async () => {
  const { cookie } = await openBrowser(await seedCaller());
  for (const path of ['/platform', '/platform/sign-in', '/platform/account/time-zone']) {
    const headers = { Cookie: cookie, Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    const response = await call(path, { method: 'OPTIONS', headers });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});
