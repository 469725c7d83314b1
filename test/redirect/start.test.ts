import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

/** Counts the schemas and checks that have been created since then: zod gives each of them the property `_zod`. */
function countSchemas(): () => number {
  const define = vi.spyOn(Object, 'defineProperty');
  return () => define.mock.calls.filter(([, property]) => property === '_zod').length;
}

/** Loads the Worker like a new isolate. */
async function loadWorker() {
  vi.resetModules();
  const { createApp } = await import('../../src/app/app.ts');
  const { parseConfig } = await import('../../src/config/config.ts');
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '0' }));
  return async (path: string, init: RequestInit = {}) => {
    const ctx = createExecutionContext();
    const response = await app.fetch(new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init }), env, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
}

it('the Worker creates no schema while it loads and redirects a first visitor', async () => {
  const tenant = await seedTenant();
  const link = await seedLink(tenant, { url: 'https://example.com/first' });
  const count = countSchemas();
  const isolate = await loadWorker();
  const visit = await isolate(`/${link.id}`);
  expect([visit.status, visit.headers.get('Location'), count()]).toEqual([302, 'https://example.com/first', 0]);
  // The first request with fields creates the schemas that it needs.
  const list = await isolate('/v1/links', { headers: { 'X-API-Key': tenant.apiKey } });
  expect(list.status).toBe(200);
  expect(count()).toBeGreaterThan(0);
});
