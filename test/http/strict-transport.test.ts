import { describe, expect, it } from 'vitest';
import { strictTransport } from '../../src/http/strict-transport.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';

const POLICY = 'max-age=31536000';
const policyOf = ({ headers }: Response) => headers.get('Strict-Transport-Security');

describe('strict transport', () => {
  it.each([
    '/health',
    '/v1/links',
    '/openapi.json',
    '/platform/sign-in',
    '/docs',
    '/robots.txt',
    '/favicon.ico',
    '/no-such-link',
    '/.well-known/jwks.json',
  ])('strict transport is asked for at %s of the public origin', async (path) => {
    const response = await call(path);
    expect(policyOf(response)).toBe(POLICY);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });

  it('strict transport is sent with a redirect, found in the database and in memory', async () => {
    const { id } = await seedLink(await seedTenant());
    for (const response of [await call(`/${id}`), await call(`/${id}`)]) {
      expect([response.status, policyOf(response)]).toEqual([302, POLICY]);
    }
  });

  it('strict transport is left to the owners of custom domains, and is not sent by http or for other hosts', async () => {
    const tenant = await seedTenant();
    const custom_domain = await seedDomain(tenant);
    const { id } = await seedLink(tenant, { custom_domain });
    const urls = [`https://${custom_domain}/${id}`, 'http://terse.test/health', 'http://localhost:8787/health'];
    for (const url of urls) expect([url, policyOf(await call(url))]).toEqual([url, null]);
  });

  it.each(['http://terse.test', 'https://localhost', 'https://127.0.0.1:8443', null])(
    'strict transport is never sent if PUBLIC_URL is %s',
    async (publicUrl) => {
      const request = new Request(`${publicUrl ?? 'https://terse.test'}/health`);
      const strict = strictTransport(publicUrl === null ? null : new URL(publicUrl));
      expect(policyOf(await strict(request, new Response('ok')))).toBeNull();
    },
  );
});
