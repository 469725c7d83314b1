import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { importFile, newSlug, openClient, sendFile, outcomesOf } from '../support/files.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';

/** Changes while an import is under way. */

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

/** Does something between two trips of the import to come; the first is trip 1. */
function beforeTrip(trip: number, happen: () => Promise<unknown>): void {
  const batch = env.DB.batch.bind(env.DB);
  let calls = 0;
  vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
    calls += 1;
    if (calls === trip) await happen();
    return batch(statements);
  });
}

/** Gives a slug to a link of another client, without going through the API. */
const take = (slug: string, clientId: string) =>
  env.DB.batch([
    env.DB.prepare(
      `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
       VALUES (?1, '', ?1, ?2, 's', 'https://example.com/taken', 1, 1, 1)`,
    ).bind(slug, clientId),
    env.DB.prepare(`INSERT INTO addresses (domain_id, folded, slug, link_id) VALUES ('', lower(?1), ?1, ?1)`).bind(
      slug,
    ),
  ]);

const slugsOf = (count: number) => {
  const slug = newSlug();
  return Array.from({ length: count }, (_, i) => `${slug}-${i}`);
};
const fileOf = (slugs: readonly string[]) =>
  `slug,url\n${slugs.map((slug) => `${slug},https://example.com/\n`).join('')}`;

describe('an import', () => {
  it('an import reports a slug that is taken between read and write, and creates the other links', async () => {
    const [manager, other] = [await openClient(), await openClient()];
    const slugs = slugsOf(3);
    beforeTrip(2, () => take(slugs[1]!, other.tenant.clientId));
    const body = await importFile(manager, fileOf(slugs));
    expect(outcomesOf(body)).toEqual(['created', 'slug_taken', 'created']);
    expect(new Set((await linksOf(manager.tenant.clientId)).map((row) => row['slug']))).toEqual(
      new Set([slugs[0], slugs[2]]),
    );
  });

  it('an import creates no part of a link whose alias is taken between the check and the write', async () => {
    const [manager, other] = [await openClient(), await openClient()];
    const [slug, alias] = [newSlug(), newSlug()];
    beforeTrip(2, () => take(alias, other.tenant.clientId));
    const body = await importFile(manager, `slug,url,aliases\n${slug},https://example.com/,${alias}\n`);
    expect(outcomesOf(body)).toEqual(['slug_taken']);
    expect((await rowsOf('addresses')).filter((row) => row['slug'] === slug)).toEqual([]);
    expect(await linksOf(manager.tenant.clientId)).toEqual([]);
  });

  it('an import refuses a domain that is lost between look and write', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    beforeTrip(2, () => env.DB.prepare(`UPDATE domains SET status = 'lost' WHERE host = ?`).bind(host).run());
    const body = await importFile(manager, `custom_domain,url\n${host},https://example.com/\n,https://example.com/\n`);
    expect(outcomesOf(body)).toEqual(['unknown_domain', 'created']);
  });

  it('an import gives up on a row that others keep coming between', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const real = env.DB.prepare.bind(env.DB);
    vi.spyOn(env.DB, 'prepare').mockImplementation((sql) =>
      real(sql.includes('INSERT INTO addresses') ? sql.replace('WHERE', 'WHERE false AND') : sql),
    );
    const body = await importFile(manager, fileOf([slug]));
    expect(body.results).toEqual([
      {
        row: 2,
        status: 'error',
        error: 'edit_conflict: Other requests are creating links like this one at the same time. Import it again.',
      },
    ]);
  });

  it('an import creates each link once if the same file is sent four times at once', async () => {
    const manager = await openClient();
    const slugs = slugsOf(600);
    const bodies = await Promise.all(Array.from({ length: 4 }, () => importFile(manager, fileOf(slugs))));
    expect(bodies.reduce((sum, { created }) => sum + created, 0)).toBe(600);
    expect(bodies.map(({ errors }) => errors)).toEqual([0, 0, 0, 0]);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(600);
  });

  it('an import creates each link without a slug once, too', async () => {
    const manager = await openClient();
    const file = `url\n${Array.from({ length: 300 }, (_, i) => `https://example.com/${i}\n`).join('')}`;
    const bodies = await Promise.all(Array.from({ length: 4 }, () => importFile(manager, file)));
    expect(bodies.reduce((sum, { created }) => sum + created, 0)).toBe(300);
    expect(bodies.map(({ errors }) => errors)).toEqual([0, 0, 0, 0]);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(300);
  });

  it.each<[what: string, status: number, happen: (clientId: string) => Promise<unknown>]>([
    [
      'the key is revoked',
      401,
      (id) => env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE client_id = ?').bind(id).run(),
    ],
    [
      'the key loses its scope',
      403,
      (id) => env.DB.prepare(`UPDATE api_keys SET scopes = 'links:read' WHERE client_id = ?`).bind(id).run(),
    ],
    ['the database is away', 503, () => Promise.reject(new Error('D1 is away'))],
  ])('an import ends if %s in the middle, and continues when it is sent again', async (_, status, happen) => {
    const manager = await openClient();
    const slugs = slugsOf(600);
    // The first one verifies the key, since the file has more than 250 rows.
    beforeTrip(4, () => happen(manager.tenant.clientId));
    const response = await sendFile(manager, fileOf(slugs));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ result: 'Failed' });
    vi.restoreAllMocks();
    const made = await linksOf(manager.tenant.clientId);
    expect(made).toHaveLength(250);
    expect((await rowsOf('addresses')).filter((row) => slugs.includes(String(row['slug'])))).toHaveLength(250);
    const again = await importFile(manager, fileOf(slugs), { headers: manager.bearer });
    expect(again).toMatchObject({ created: 350, unchanged: 250, errors: 0 });
  });
});
