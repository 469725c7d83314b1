import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importFile, newSlug, openClient, sendFile } from '../support/files.ts';
import { rowsOf } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('an import of many rows', () => {
  it('an import of many rows creates 5,000 links in 22 round trips, and finds them unchanged in as many', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const file = `slug,url\n${Array.from({ length: 5000 }, (_, i) => `${slug}-${i},https://example.com/${i}\n`).join('')}`;
    const trips = await countTrips();
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

  const rowsRead = async (work: () => Promise<unknown>) => {
    const batch = vi.spyOn(env.DB, 'batch');
    await work();
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    batch.mockRestore();
    return Math.max(...results.map((each) => each.reduce((sum, { meta }) => sum + meta.rows_read, 0)));
  };
  const addLinks = (clientId: string, count: number, url: string) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
        INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
        SELECT ?1 || i, '', ?1 || i, ?1, i, ${url}, i, i, i FROM n`,
    )
      .bind(clientId, count)
      .run();

  it('an import of many rows reads no links with other destinations for rows without a slug', async () => {
    const manager = await openClient();
    const file = `url\n${Array.from({ length: 250 }, (_, i) => `https://example.com/${i}\n`).join('')}`;
    expect(await importFile(manager, file)).toMatchObject({ created: 250 });
    const again = async () => expect(await importFile(manager, file)).toMatchObject({ created: 0, unchanged: 250 });
    const before = await rowsRead(again);
    await addLinks(manager.tenant.clientId, 2000, `'https://other.example/' || i`);
    expect(await rowsRead(again)).toBeLessThanOrEqual(before + 20);
  });

  it('an import of many rows compares rows without a slug with the newest 1,000 links to their destination', async () => {
    const manager = await openClient();
    await addLinks(manager.tenant.clientId, 3000, `'https://a.example/'`);
    const file = (rows: number) =>
      `url,title\n${Array.from({ length: rows }, (_, i) => `https://a.example/,t${i}\n`).join('')}`;
    const read = async (rows: number) =>
      rowsRead(async () => expect((await sendFile(manager, file(rows), { query: '?dry_run=true' })).status).toBe(200));
    const one = await read(1);
    expect(one).toBeLessThan(10_000);
    expect(await read(250)).toBeLessThan(300 * 1000);
  });

  it('an import of many rows continues by bytes where rows are long', async () => {
    const manager = await openClient();
    const metadata = JSON.stringify('x'.repeat(4000)).replaceAll('"', '""');
    const slug = newSlug();
    const rows = Array.from(
      { length: 600 },
      (_, i) => `${slug}-${i},https://example.com/${'y'.repeat(1900)},"${metadata}"\n`,
    );
    const trips = await countTrips();
    expect(await importFile(manager, `slug,url,metadata\n${rows.join('')}`)).toMatchObject({ created: 600, errors: 0 });
    expect(trips().d1).toBeGreaterThan(4);
    expect(trips().d1).toBeLessThanOrEqual(6);
  });
});
