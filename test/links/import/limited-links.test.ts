import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exportOf, importExport, JSON_FILE } from '../../support/exports.ts';
import {
  CSV,
  exportFile,
  importFile,
  NDJSON,
  newSlug,
  openClient,
  outcomesOf,
  type Imported,
} from '../../support/files.ts';
import type { Manager } from '../../support/manage.ts';
import { rowsOf, seedDomain } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';
import { byPerson } from '../../support/visits.ts';

afterEach(() => vi.restoreAllMocks());

const visit = async (url: string) => (await openIsolate()(url, byPerson())).status;
const TYPES = { csv: CSV, ndjson: NDJSON };

/** The result of each row, by slug. */
const bySlug = ({ results }: Imported) =>
  Object.fromEntries(
    results.map(({ link, notes = [] }) => [link?.slug, { max: link?.max_clicks, disabled: link?.disabled, notes }]),
  );

/** A client with links on a domain, whose limits are used up, in part and not at all. */
async function seedLimited(): Promise<{ manager: Manager; host: string }> {
  const manager = await openClient();
  const host = await seedDomain(manager.tenant);
  for (const slug of ['used', 'half', 'whole']) {
    await manager.make({ custom_domain: host, slug, max_clicks: 2 });
  }
  await manager.make({ custom_domain: host, slug: 'free' });
  for (const slug of ['used', 'used', 'half', 'free']) expect(await visit(`https://${host}/${slug}`)).toBe(302);
  return { manager, host };
}

describe('a link with a limit, in an export of this service', () => {
  it.each(['csv', 'ndjson'] as const)(
    'a link with a limit in an export of this service is imported with the clicks that are left, from %s',
    async (format) => {
      const [{ manager, host }, other] = [await seedLimited(), await openClient()];
      const file = await exportFile(manager, format);
      const type = TYPES[format];
      expect(await importFile(manager, file, { type })).toMatchObject({ created: 0, unchanged: 4, errors: 0 });

      const home = await seedDomain(other.tenant);
      const query = `?host=${host}:${home}`;
      const imported = await importFile(other, file, { type, query });
      expect(outcomesOf(imported)).toEqual(['created', 'created', 'created', 'created']);
      expect(bySlug(imported)).toEqual({
        used: { max: 2, disabled: true, notes: ['All clicks of its limit are used: a new link is disabled.'] },
        half: { max: 1, disabled: false, notes: ['1 of its 2 clicks is left: a new link has this limit.'] },
        whole: { max: 2, disabled: false, notes: [] },
        free: { max: null, disabled: false, notes: [] },
      });
      const visits = ['used', 'half', 'half', 'whole', 'whole', 'whole'];
      const statuses: number[] = [];
      for (const slug of visits) statuses.push(await visit(`https://${home}/${slug}`));
      expect(statuses).toEqual([410, 302, 410, 302, 302, 410]);
      expect(await importFile(other, file, { type, query })).toMatchObject({ created: 0, unchanged: 4, errors: 0 });

      // A newer export, in which fewer are left.
      expect(await visit(`https://${host}/whole`)).toBe(302);
      expect(await visit(`https://${host}/half`)).toBe(302);
      const newer = await exportFile(manager, format);
      expect(await importFile(other, newer, { type, query })).toMatchObject({ created: 0, unchanged: 4, errors: 0 });
    },
  );

  it('a link with a limit in an export of this service has no clicks_left in the file while its object does not respond', async () => {
    const { manager } = await seedLimited();
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(env.LIMITS, 'getByName').mockImplementation(() => {
      throw new Error('Network connection lost.');
    });
    const rows = (await exportFile(manager, 'ndjson')).trim().split('\n');
    const left = rows.map((row) => (JSON.parse(row) as { clicks_left: unknown }).clicks_left);
    expect(left).toEqual([null, null, null, null]);
  });

  const UNKNOWN = 'The file does not say how many clicks of its limit are left';

  it.each([
    ['an older export', `id,slug,url,max_clicks\nabc,SLUG,https://example.com/,5\n`, CSV],
    ['an empty cell', `slug,url,max_clicks,clicks_left\nSLUG,https://example.com/,5,\n`, CSV],
    ['no number', `slug,url,max_clicks,clicks_left\nSLUG,https://example.com/,5,many\n`, CSV],
    ['more than the limit', `slug,url,max_clicks,clicks_left\nSLUG,https://example.com/,5,6\n`, CSV],
    ['null', '{"slug": "SLUG", "url": "https://example.com/", "max_clicks": 5, "clicks_left": null}', NDJSON],
    ['an object', '[{"slug": "SLUG", "url": "https://example.com/", "max_clicks": 5, "clicks_left": {}}]', JSON_FILE],
  ])(
    'a link with a limit in an export of this service is disabled if the file does not say how many are left: %s',
    async (_, text, type) => {
      const manager = await openClient();
      const [slug, open] = [newSlug(), newSlug()];
      const imported = await importFile(manager, text.replace('SLUG', slug), { type });
      expect(bySlug(imported)).toEqual({
        [slug]: { max: 5, disabled: true, notes: [`${UNKNOWN}: a new link is disabled.`] },
      });
      expect(outcomesOf(await importFile(manager, text.replace('SLUG', slug), { type }))).toEqual(['unchanged']);
      const published = await importFile(manager, text.replace('SLUG', open), { type, query: '?unprotected=publish' });
      expect(bySlug(published)).toEqual({
        [open]: { max: 5, disabled: false, notes: [`${UNKNOWN}: a new link is open to all of them.`] },
      });
    },
  );

  it('a link with a limit in an export of this service has its whole limit in a file that was written by hand', async () => {
    const slug = newSlug();
    const imported = await importFile(await openClient(), `slug,url,max_clicks\n${slug},https://example.com/,5\n`);
    expect(bySlug(imported)).toEqual({ [slug]: { max: 5, disabled: false, notes: [] } });
  });

  it('a link with a limit and without a slug in an export of this service is created once', async () => {
    const manager = await openClient();
    const file = `url,title,max_clicks,clicks_left\n${[0, 3].map((left) => `https://example.com/,${newSlug()},5,${left}\n`).join('')}`;
    expect(await importFile(manager, file)).toMatchObject({ created: 2 });
    expect(await importFile(manager, file)).toMatchObject({ created: 0, unchanged: 2 });
    const links = (await rowsOf('links')).filter((row) => row['client_id'] === manager.tenant.clientId);
    expect(links.map((row) => [row['max_clicks'], row['disabled_at'] !== null])).toEqual(
      expect.arrayContaining([
        [5, true],
        [3, false],
      ]),
    );
    expect(links).toHaveLength(2);
  });
});

describe('a link with a limit, of another service', () => {
  it('a link with a limit of another service is unchanged by a newer export with more clicks', async () => {
    const { manager, host } = await importExport('shlink.json');
    const text = exportOf('shlink.json', host);
    for (const clicks of [41, 100]) {
      const newer = await importFile(manager, text.replaceAll(/\b40\b/g, String(clicks)), { type: JSON_FILE });
      expect(outcomesOf(newer)).toEqual(['unchanged', 'unchanged', 'unchanged']);
      expect(newer.results[0]?.link).toMatchObject({ slug: 'limited', max_clicks: 60, disabled: false });
    }
    expect((await call(`https://${host}/limited`, byPerson())).status).toBe(302);
  });

  it('a link with a limit of another service differs if it has another limit', async () => {
    const { manager, host } = await importExport('shlink.json');
    const raised = exportOf('shlink.json', host).replace('"maxVisits": 100', '"maxVisits": 500');
    const imported = await importFile(manager, raised, { type: JSON_FILE });
    expect(imported.results[0]?.error).toBe(
      'slug_taken: slug limited is already in use by a link of yours that differs in max_clicks.',
    );
  });
});
