import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { expectFailure, expectRefused, seedCaller, storedLinks } from '../support/forms.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

const OWN_HOST = 'own_host: url leads to a host of this service, which would create a redirect loop. Use another URL.';

it.each([
  'https://terse.test/',
  'http://terse.test/x?y#z',
  'https://terse.test:8443/',
  'https://TERSE.test./abc',
  'https:terse.test',
  'https:\\\\terse.test\\x',
  'https://%74erse.test/',
  'https://ｔｅｒｓｅ。ｔｅｓｔ/',
  ' https://terse.test ',
])('refuses the target %j, which is its own public host', async (url) => {
  await expectRefused({ url }, OWN_HOST);
});

it.each([
  'https://www.terse.test/',
  'https://terse.test.example/',
  'https://terse.test-x/',
  'https://example.com/?u=https://terse.test/',
])('takes %s, which only looks like its own host', async (url) => {
  expect(await seedLink(await seedCaller(), { url })).toMatchObject({ url: new URL(url).href });
});

it.each<[url: string, to: string, settings: Record<string, string>]>([
  ['http://localhost:8787/x', 'http://localhost:8787', {}],
  ['http://127.1:8787/x', 'http://localhost:8787', {}],
  ['http://[::1]:8787/', 'http://127.0.0.1:8787', {}],
  ['https://terse.test/', 'http://localhost:8787', {}],
  ['https://terse.acme.workers.dev/', 'https://terse.acme.workers.dev', { PUBLIC_URL: '' }],
  ['http://TERSE.acme.workers.dev.:81/', 'https://terse.acme.workers.dev', { PUBLIC_URL: '' }],
])('refuses the target %s when called at %s', async (url, to, settings) => {
  const caller = await seedCaller();
  const before = await storedLinks();
  const request = { headers: { 'X-API-Key': caller.apiKey }, form: { url, client_id: caller.clientId } };
  await expectFailure(await openIsolate(settings)(`${to}/v1/links`, request), 400, OWN_HOST);
  expect(await storedLinks()).toEqual(before);
});

it.each<[whose: string, spell: (host: string) => string]>([
  ['as it is', (host) => `https://${host}/x`],
  ['with a port', (host) => `http://${host}:8080/`],
  ['in upper case with a trailing dot', (host) => `https://${host.toUpperCase()}./`],
])('refuses an active custom domain of any client, written %s', async (_how, spell) => {
  const url = spell(await seedDomain(await seedCaller()));
  await expectRefused({ url }, OWN_HOST);
});

it('refuses a lost custom domain, which still serves its links', async () => {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  await env.DB.prepare("UPDATE domains SET status = 'lost' WHERE host = ?").bind(host).run();
  await expectRefused({ url: `https://${host}/x` }, OWN_HOST);
  const link = await seedLink(caller);
  const edit = await call(`/v1/links/${link.id}`, {
    method: 'PATCH',
    headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `https://${host}/x` }),
  });
  await expectFailure(edit, 400, OWN_HOST);
  const imported = await call('/v1/links/import', {
    method: 'POST',
    headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'text/csv' },
    body: `url\nhttps://${host}/x\n`,
  });
  expect(await imported.json()).toMatchObject({ created: 0, results: [{ status: 'error', error: OWN_HOST }] });
});

it('accepts a host that a client has only claimed', async () => {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  await env.DB.prepare("UPDATE domains SET status = 'pending' WHERE host = ?").bind(host).run();
  expect(await seedLink(caller, { url: `https://${host}/` })).toMatchObject({ url: `https://${host}/` });
});
