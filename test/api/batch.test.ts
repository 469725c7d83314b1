import { afterEach, describe, expect, it, vi } from 'vitest';
import { openManager } from '../support/manage.ts';
import { rowsOf, seedTenant } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const open = async () => openManager(await seedTenant());
const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('POST /v1/links/batch', () => {
  it('makes a hundred links in one trip', async () => {
    const { ask, key, tenant } = await open();
    const links = Array.from({ length: 100 }, (_, i) => ({
      url: `https://example.com/${i}`,
      client_id: tenant.clientId,
    }));
    const trips = countTrips();
    const { status, body } = await ask<{ results: { status: number; link: { url: string } }[] }>(
      'POST',
      '/v1/links/batch',
      { links },
      key,
    );
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect(status).toBe(200);
    expect(body.results.map((item) => [item.status, item.link.url])).toEqual(links.map(({ url }) => [201, url]));
    expect(await linksOf(tenant.clientId)).toHaveLength(100);
  });

  it('makes the good ones of a mixed batch, and says of each what came of it, in order', async () => {
    const { ask, tenant, read } = await open();
    const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
    const base = { url: 'https://example.com/', client_id: tenant.clientId };
    const { status, body } = await ask<{ results: { status: number; error?: string; link?: { id: string } }[] }>(
      'POST',
      '/v1/links/batch',
      {
        links: [
          { ...base, slug },
          { ...base, url: 'nowhere' },
          { ...base, slug: slug.toUpperCase() },
          { ...base, client_id: 'another' },
          { ...base, custom_domain: 'not-mine.example' },
          { ...base, colour: 'red' },
          base,
        ],
      },
    );
    expect(status).toBe(200);
    expect(body.results.map((item) => item.error?.split(':')[0] ?? item.status)).toEqual([
      201,
      'invalid_url',
      'slug_taken',
      'wrong_client',
      'unknown_domain',
      'unknown_field',
      201,
    ]);
    expect(body.results.map((item) => item.status)).toEqual([201, 400, 409, 403, 400, 400, 201]);
    expect(await linksOf(tenant.clientId)).toHaveLength(2);
    const [first] = body.results;
    const { clicks: _, ...link } = (await read(first?.link?.id ?? '')) as unknown as { clicks: unknown };
    expect(first?.link).toEqual(link);
  });

  it.each<[what: string, body: unknown, status: number]>([
    ['no list', {}, 400],
    ['an empty list', { links: [] }, 400],
    ['101 links', { links: Array.from({ length: 101 }, () => ({})) }, 400],
    ['something that is no link', { links: [7] }, 400],
  ])('refuses %s', async (_, body, status) => {
    const { ask, key } = await open();
    expect((await ask('POST', '/v1/links/batch', body, key)).status).toBe(status);
  });

  it('is refused as a whole to a credential that no longer counts', async () => {
    const { ask, tenant } = await open();
    const key = { 'X-API-Key': `tk_${'x'.repeat(12)}_${'y'.repeat(43)}` };
    const links = [{ url: 'https://example.com/', client_id: tenant.clientId }];
    expect((await ask('POST', '/v1/links/batch', { links }, key)).status).toBe(401);
  });
});
