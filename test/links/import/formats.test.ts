import { describe, expect, it } from 'vitest';
import { EXPECTED } from '../../support/expected-links.ts';
import { exportOf, typeOf } from '../../support/exports.ts';
import { importFile, openClient, type Imported } from '../../support/files.ts';
import { seedDomain } from '../../support/seed.ts';

const TOTALS =
  'Clicks are kept as a total, in imported_clicks. The file has no history of single clicks, so the statistics begin now.';

/** The links of an answer, by slug, with the fields that are not empty. */
function linksOf({ results }: Imported, host: string) {
  return results.map(({ row, status, link, error, notes }) => {
    if (!link) return { row, status, error };
    expect(link.short_url).toBe(`https://${host}/${link.slug}`);
    const { url, slug, title, tags, created_at, starts_at, expires_at, max_clicks, imported_clicks, disabled } = link;
    const { comments, campaign_name } = link;
    const values = { title, comments, campaign_name, starts_at, expires_at, max_clicks, imported_clicks };
    const set = Object.entries({ ...values, ...(disabled && { disabled }), notes }).filter(([, it]) => it != null);
    return { row, slug, url, created_at, ...(tags.length > 0 && { tags }), ...Object.fromEntries(set) };
  });
}

describe('the export of', () => {
  it.each(Object.entries(EXPECTED))('%s becomes links', async (name, { format: [id, brand], links, query = '' }) => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const send = async (more: string) => {
      const given = query.replace('{host}', host) || '?';
      return importFile(manager, exportOf(name, host), { type: typeOf(name), query: `${given}&${more}` });
    };

    const dry = await send('dry_run=true');
    expect(dry).toMatchObject({
      dry_run: true,
      created: links.length,
      errors: 0,
      notes: expect.arrayContaining([TOTALS]),
    });
    expect(dry.format).toEqual({ id, name: brand, by: 'recognised' });

    const imported = await send('dry_run=false');
    expect(linksOf(imported, host)).toEqual(links);
    const again = await send(`from=${id}`);
    expect(again).toMatchObject({ created: 0, unchanged: links.length, errors: 0 });
    expect(again.format).toEqual({ id, name: brand, by: 'chosen' });
  });
});
