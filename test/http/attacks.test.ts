import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { signInBy, openBrowser } from '../support/platform.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

const EVIL = 'evil.example';

/** Everything that an answer says of where to go. */
const leads = ({ headers }: Response) => [
  headers.get('Location'),
  headers.get('Refresh'),
  headers.get('Content-Location'),
];

describe('a host that a visitor invents', () => {
  const HEADERS: readonly (readonly [name: string, value: string])[] = [
    ['X-Forwarded-Host', EVIL],
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-Server', EVIL],
    ['X-Host', EVIL],
    ['X-Original-Host', EVIL],
    ['X-Original-URL', `https://${EVIL}/`],
    ['X-Rewrite-URL', '/v1/links'],
    ['Forwarded', `host=${EVIL};proto=http`],
    ['Base-Url', `https://${EVIL}`],
  ];

  it.each(HEADERS)('a host that a visitor invents in %s: %s is in no response', async (name, value) => {
    const tenant = await seedTenant();
    const headers = { [name]: value };
    const form = { url: 'https://example.com/', client_id: tenant.clientId };
    const made = await openIsolate({ PUBLIC_URL: '' })('http://localhost:8787/v1/links', {
      headers: { ...headers, 'X-API-Key': tenant.apiKey },
      form,
    });
    const { result } = await made.json<{ result: string }>();
    const link: { id: string; short_url: string } = JSON.parse(result);
    expect(link.short_url).toBe(`http://localhost:8787/${link.id}`);
    expect(leads(await call(`/${link.id}`, { headers }))).toEqual(['https://example.com/', null, null]);
    for (const path of [
      '/',
      '/docs',
      '/changelog',
      '/changelog.rss',
      '/openapi.json',
      '/platform/sign-in',
      '/platform',
      '/nosuchid',
    ]) {
      const response = await call(path, { headers });
      expect([path, leads(response).join(), await response.text()].join()).not.toContain(EVIL);
    }
  });

  it.each([
    `https://${EVIL}`,
    `https://terse.test.${EVIL}`,
    `https://terse.test@${EVIL}`,
    `https://${EVIL}:443`,
    `https://xterse.test`,
    `https://sub.terse.test`,
    `https://localhost.${EVIL}`,
    `https://127.0.0.1.${EVIL}`,
    `https://terse.workers.dev.${EVIL}`,
  ])('the host %s is not the service, nor one of its domains', async (origin) => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const url = new URL(origin);
    url.username = '';
    for (const path of [`/${link.id}`, '/tokens/create_token', '/platform', '/v1/links', '/openapi.json', '/']) {
      const response = await call(new URL(path, url).href);
      expect([path, response.status, ...leads(response)]).toEqual([path, 404, null, null, null]);
    }
  });

  it.each(['https://TERSE.TEST', 'https://terse.test.', 'https://terse.test:8443', 'https://TeRsE.tEsT.:8443'])(
    'the host %s is the service, and no link leads to that spelling',
    async (origin) => {
      const tenant = await seedTenant();
      const link = await seedLink(tenant);
      expect((await call(`${origin}/${link.id}`)).status).toBe(302);
      const form = { url: `${origin}/${link.id}`, client_id: tenant.clientId };
      const response = await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form });
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^own_host: /) });
    },
  );
});

describe('a path that would lead elsewhere', () => {
  it.each([
    `//${EVIL}`,
    `//${EVIL}/%2e%2e`,
    `///${EVIL}`,
    `/\\${EVIL}`,
    `/\\\\${EVIL}/`,
    `/%2F%2F${EVIL}`,
    `/%5C${EVIL}`,
    `/%09/${EVIL}`,
    `/.//${EVIL}`,
    `/..//${EVIL}`,
    `/;@${EVIL}`,
    `/@${EVIL}`,
    `/https://${EVIL}`,
    `/https:/${EVIL}`,
    `/javascript:alert(1)`,
    '/%0d%0aLocation:%20https://evil.example',
    '/%0D%0ASet-Cookie:a=b',
    '/x%0d%0a%0d%0a<script>',
    '/%E5%98%8A%E5%98%8DLocation:evil.example',
    '/%00',
    '/%c0%af',
  ])('the path %s leads nowhere, on the service and on a domain', async (path) => {
    const host = await seedDomain(await seedTenant());
    for (const origin of ['https://terse.test', `https://${host}`]) {
      for (const Accept of ['*/*', 'text/html']) {
        const response = await call(origin + path, { headers: { Accept } });
        expect([response.status, ...leads(response), response.headers.get('Set-Cookie')]).toEqual([
          404,
          null,
          null,
          null,
          null,
        ]);
        expect(await response.text()).not.toMatch(/evil\.example|<script>/);
      }
    }
  });

  it.each([
    `?next=//${EVIL}`,
    `?url=https://${EVIL}`,
    '?%0d%0aLocation:%20//evil.example',
    `?redirect_uri=https://${EVIL}`,
  ])('a query of %s changes nothing', async (query) => {
    const link = await seedLink(await seedTenant());
    expect(leads(await call(`/${link.id}${query}`))).toEqual(['https://example.com/', null, null]);
    for (const path of ['/', '/docs', '/changelog', '/nosuchid'])
      expect(leads(await call(path + query))).toEqual([null, null, null]);
  });
});

describe('a target or a field that would split a response', () => {
  it.each([
    ['https://example.com/%0d%0aSet-Cookie:a=b', 'https://example.com/%0d%0aSet-Cookie:a=b'],
    ['https://example.com/?a=\u0000b', 'https://example.com/?a=%00b'],
    ['https://example.com/#\u2028x', 'https://example.com/#%E2%80%A8x'],
    ['https://example.com\\@evil.example/', 'https://example.com/@evil.example/'],
  ])('the field %j is one header, of ASCII alone', async (url, location) => {
    const link = await seedLink(await seedTenant(), { url });
    const response = await call(`/${link.id}`);
    expect([response.status, ...leads(response), response.headers.get('Set-Cookie')]).toEqual([
      302,
      location,
      null,
      null,
      null,
    ]);
  });

  it.each([
    'https://terse.test@evil.example/',
    'https://user:password@example.com/',
    'https://exa\u0000mple.com/',
    'https://evil.example%0d%0a/',
    'javascript:alert(1)//https://example.com',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example/',
    '/v1/links',
    'https:///',
    'https://',
    'https://example.com/\r\nSet-Cookie: a=b',
  ])('the text %j is no target', async (url) => {
    const { apiKey, clientId } = await seedCaller();
    const response = await call('/v1/links', { headers: { 'X-API-Key': apiKey }, form: { url, client_id: clientId } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^(invalid_url|own_host): /) });
  });

  it.each(['a\r\nb', 'a\nSet-Cookie: x', 'a/b', 'a\\b', '..', '.', '//x', 'a?b', 'a#b', 'a%0d%0ab', '<x>', '"x', ' '])(
    'the text %j is no slug',
    async (slug) => {
      const caller = await seedCaller();
      const body = JSON.stringify({ url: 'https://example.com/', client_id: caller.clientId, slug });
      const headers = { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json' };
      const response = await call('/v1/links', { method: 'POST', headers, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_slug: /) });
    },
  );

  it('a text that would split a response comes back as a request id only where it is a word', async () => {
    const response = await call('/v1/links', { headers: { 'X-Request-Id': 'a; Set-Cookie=x <script>' } });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]+$/);
  });
});

describe('a sign-in that is to lead elsewhere', () => {
  it.each([
    `https://${EVIL}/`,
    `//${EVIL}`,
    `/\\${EVIL}`,
    `\\\\${EVIL}`,
    `/\t/${EVIL}`,
    `/%09/${EVIL}`,
    `/platform/../..//${EVIL}`,
    `/platform@${EVIL}`,
    `/platform.${EVIL}`,
    `//terse.test@${EVIL}/platform`,
    `https://terse.test@${EVIL}/platform`,
    'javascript:alert(1)',
    '/platform\r\nSet-Cookie: a=b',
    '/v1/links',
    '',
    '.',
  ])('a sign-in with next=%j leads to a page of the platform', async (next) => {
    const tenant = await seedTenant();
    const toOwnPage = expect.stringMatching(/^\/platform(\/[\w:%=-]*|%[\w:%=-]*)?$/i);
    const response = await signInBy(tenant, tenant.password, { next });
    expect([response.status, response.headers.get('Location')]).toEqual([303, toOwnPage]);
    const { browse } = await openBrowser(tenant);
    // An address has no empty fields.
    const path = `/platform/sign-in${next && `?next=${encodeURIComponent(next)}`}`;
    const again = await browse(path);
    expect([again.status, again.headers.get('Location')]).toEqual([303, toOwnPage]);
    const page = await (await call(path)).text();
    expect(page).not.toContain(`value="${next || 'nothing'}"`);
  });
});
