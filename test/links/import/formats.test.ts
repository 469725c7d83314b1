import { describe, expect, it } from 'vitest';
import { EXPECTED } from '../../support/expected-links.ts';
import { FURTHER } from '../../support/expected-further-links.ts';
import { exportOf, typeOf } from '../../support/exports.ts';
import { importFile, openClient, type Imported } from '../../support/files.ts';
import { seedDomain } from '../../support/seed.ts';

const TOTALS = 'Clicks are kept as a total. The file has no history of single clicks, so the statistics begin now.';

// Links whose file does not say when they were created are as of their import.
const BEGUN = Date.now();

/** The links of an answer, by slug, with the fields that are not empty. */
function linksOf({ results }: Imported, host: string) {
  return results.map(({ row, status, link, error, notes }) => {
    if (!link) return { row, status, error };
    expect(link.short_url).toBe(`https://${host}/${link.slug}`);
    const { url, slug, title, tags, created_at, starts_at, expires_at, max_clicks, imported_clicks, disabled } = link;
    const { comments, campaign_name, expired_url, rules, redirect_status, forward_query } = link;
    const visits = { expired_url, rules, redirect_status, forward_query };
    const values = { title, comments, campaign_name, starts_at, expires_at, max_clicks, imported_clicks, ...visits };
    const set = Object.entries({ ...values, ...(disabled && { disabled }), notes }).filter(([, it]) => it != null);
    const created = Date.parse(created_at) < BEGUN ? { created_at } : {};
    return { row, slug, url, ...created, ...(tags.length > 0 && { tags }), ...Object.fromEntries(set) };
  });
}

describe('the exports of other services', () => {
  it.each(Object.entries({ ...EXPECTED, ...FURTHER }))(
    'the export of %s becomes links',
    async (name, { format: [id, brand], links, query = '' }) => {
      const manager = await openClient();
      const host = await seedDomain(manager.tenant);
      const send = async (more: string) => {
        const given = query.replace('{host}', host) || '?';
        return importFile(manager, exportOf(name, host), { type: typeOf(name), query: `${given}&${more}` });
      };

      const dry = await send('dry_run=true');
      expect(dry).toMatchObject({ dry_run: true, created: links.length, errors: 0 });
      // Some files have no clicks.
      expect(dry.notes.includes(TOTALS)).toBe(dry.columns.some(({ field }) => field === 'imported_clicks'));
      expect(dry.format).toEqual({ id, name: brand, by: 'recognised' });

      const imported = await send('dry_run=false');
      expect(linksOf(imported, host)).toEqual(links);
      const again = await send(`from=${id}`);
      expect(again).toMatchObject({ created: 0, unchanged: links.length, errors: 0 });
      expect(again.format).toEqual({ id, name: brand, by: 'chosen' });
    },
  );
});

describe('further addresses of a link of Bitly', () => {
  const item = (custom: readonly string[]) =>
    JSON.stringify({
      links: [{ link: 'https://bit.ly/3xAbCdE', long_url: 'https://example.com/', custom_bitlinks: custom }],
    });

  it('further addresses of a link of Bitly become aliases on the same host, and the others are listed', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const file = item([`https://${host}/First`, `https://${host}/Second`, 'https://other.example/Third']);
    const send = () => importFile(manager, file, { type: 'application/json' });
    const imported = await send();
    expect(imported.results[0]).toMatchObject({
      status: 'created',
      link: { short_url: `https://${host}/First`, aliases: ['Second'] },
      notes: [
        'Its other address https://bit.ly/3xAbCdE is not kept.',
        'Its other address https://other.example/Third is not kept.',
      ],
    });
    expect(await send()).toMatchObject({ created: 0, unchanged: 1 });
  });
});
