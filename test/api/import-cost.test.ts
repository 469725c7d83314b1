import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importFile, newSlug, openClient } from '../support/files.ts';
import { rowsOf } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('an import of many rows', () => {
  it('creates 5,000 links in 22 round trips, and finds them unchanged in as many', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const file = `slug,url\n${Array.from({ length: 5000 }, (_, i) => `${slug}-${i},https://example.com/${i}\n`).join('')}`;
    const trips = countTrips();
    const dry = await importFile(manager, file, { query: '?dry_run=true' });
    expect(dry).toMatchObject({ created: 5000, unchanged: 0, errors: 0 });
    expect(trips()).toEqual({ d1: 21, kvReads: 0, kvWrites: 0 });
    const made = await importFile(manager, file);
    expect(made).toMatchObject({ created: 5000, unchanged: 0, errors: 0 });
    expect(made.results.map(({ row }) => row)).toEqual(Array.from({ length: 5000 }, (_, i) => i + 2));
    expect(made.results[4999]?.link).toMatchObject({ slug: `${slug}-4999`, url: 'https://example.com/4999' });
    expect(trips()).toEqual({ d1: 43, kvReads: 0, kvWrites: 0 });
    expect(await importFile(manager, file)).toMatchObject({ created: 0, unchanged: 5000, errors: 0 });
    expect(trips().d1).toBe(64);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(5000);
  });

  it('reads each link of the client once a round trip for rows without a slug', async () => {
    const manager = await openClient();
    const file = `url\n${Array.from({ length: 1000 }, (_, i) => `https://example.com/${i}\n`).join('')}`;
    expect(await importFile(manager, file)).toMatchObject({ created: 1000 });
    const batch = vi.spyOn(env.DB, 'batch');
    expect(await importFile(manager, file)).toMatchObject({ created: 0, unchanged: 1000 });
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const read = results.map((each) => each.reduce((sum, { meta }) => sum + meta.rows_read, 0));
    expect(Math.max(...read)).toBeLessThanOrEqual(9000);
  });

  it('continues by bytes where rows are long', async () => {
    const manager = await openClient();
    const metadata = JSON.stringify('x'.repeat(4000)).replaceAll('"', '""');
    const slug = newSlug();
    const rows = Array.from(
      { length: 600 },
      (_, i) => `${slug}-${i},https://example.com/${'y'.repeat(1900)},"${metadata}"\n`,
    );
    const trips = countTrips();
    expect(await importFile(manager, `slug,url,metadata\n${rows.join('')}`)).toMatchObject({ created: 600, errors: 0 });
    expect(trips().d1).toBeGreaterThan(4);
    expect(trips().d1).toBeLessThanOrEqual(6);
  });
});
