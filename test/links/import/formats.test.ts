import { describe, expect, it } from 'vitest';
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

const EXPECTED: Record<string, { format: [id: string, name: string]; links: object[]; query?: string }> = {
  'bitly-former.csv': {
    format: ['bitly', 'Bitly'],
    links: [
      {
        row: 2,
        slug: 'Spring',
        url: 'https://example.com/spring',
        title: 'Spring',
        tags: ['Berlin', 'print'],
        campaign_name: 'Spring 2018',
        created_at: '2018-03-04T10:11:12.000Z',
        imported_clicks: 56,
      },
      {
        row: 3,
        slug: 'Winter',
        url: 'https://example.com/winter',
        title: 'Winter',
        created_at: '2018-12-01T00:00:00.000Z',
        imported_clicks: 0,
        disabled: true,
        notes: ['It was archived or not active: it is created disabled.'],
      },
    ],
  },
  'yourls.csv': {
    format: ['yourls', 'YOURLS'],
    query: '?host={host}',
    links: [
      {
        row: 2,
        slug: 'Ozh-1',
        url: 'https://example.com/a',
        title: 'A title of two lines',
        created_at: '2014-07-01T12:00:00.000Z',
        imported_clicks: 42,
      },
      {
        row: 3,
        slug: 'b2',
        url: 'https://example.com/b',
        created_at: '2014-07-02T12:00:00.000Z',
        imported_clicks: 0,
      },
    ],
  },
  'kutt.json': {
    format: ['kutt', 'Kutt'],
    links: [
      {
        row: 1,
        slug: 'Manual',
        url: 'https://example.com/manual',
        comments: 'The "docs" {of} [all]',
        created_at: '2021-01-02T03:04:05.678Z',
        expires_at: '2100-01-01T00:00:00.000Z',
        imported_clicks: 99,
      },
      {
        row: 2,
        slug: 'secret',
        url: 'https://example.com/secret',
        created_at: '2021-01-02T03:04:05.678Z',
        imported_clicks: 1,
        disabled: true,
        notes: ['It had a password, which the file does not have: it is created disabled.'],
      },
      {
        row: 3,
        slug: 'spam',
        url: 'https://example.com/spam',
        created_at: '2021-01-02T03:04:05.678Z',
        imported_clicks: 5,
        disabled: true,
        notes: ['It was banned: it is created disabled.'],
      },
      {
        row: 4,
        slug: 'soon',
        url: 'https://example.com/soon',
        created_at: '2021-01-02T03:04:05.000Z',
        imported_clicks: 0,
        disabled: true,
        notes: ['Its expiry date cannot be read: it is created disabled.'],
      },
    ],
  },
  'shlink.csv': {
    format: ['shlink', 'Shlink'],
    links: [
      {
        row: 2,
        slug: 'AbC12',
        url: 'https://example.com/one',
        title: 'One',
        tags: ['print', 'Web'],
        created_at: '2022-02-03T03:05:06.000Z',
        imported_clicks: 17,
        notes: ['1 tag is left out: too many, too long or not valid.'],
      },
    ],
  },
  'shlink.json': {
    format: ['shlink', 'Shlink'],
    links: [
      {
        row: 1,
        slug: 'limited',
        url: 'https://example.com/limited',
        tags: ['one', 'two'],
        created_at: '2022-05-01T08:00:00.000Z',
        starts_at: '2022-05-02T00:00:00.000Z',
        expires_at: '2100-05-02T00:00:00.000Z',
        max_clicks: 60,
        imported_clicks: 40,
        notes: ['Its redirect rules are not in the file.'],
      },
      {
        row: 2,
        slug: 'used',
        url: 'https://example.com/used',
        title: 'Used',
        created_at: '2022-05-01T08:00:00.000Z',
        imported_clicks: 10,
        disabled: true,
        notes: ['All clicks of its limit are used: it is created disabled.'],
      },
      {
        row: 3,
        slug: 'odd',
        url: 'https://example.com/odd',
        title: 'Odd',
        created_at: '2022-05-01T08:00:00.000Z',
        imported_clicks: 3,
        disabled: true,
        notes: ['Its limit of clicks cannot be read: it is created disabled.'],
      },
    ],
  },
  'dub.csv': {
    format: ['dub', 'Dub'],
    links: [
      {
        row: 2,
        slug: 'Dub',
        url: 'https://example.com/dub',
        tags: ['social', 'video'],
        created_at: '2024-09-01T07:08:09.123Z',
        imported_clicks: 321,
      },
      {
        row: 3,
        slug: 'dub-old',
        url: 'https://example.com/dub-old',
        created_at: '2024-01-01T00:00:00.000Z',
        imported_clicks: 0,
        disabled: true,
        notes: ['It was archived or not active: it is created disabled.'],
      },
    ],
  },
  'short-io.csv': {
    format: ['short_io', 'Short.io'],
    links: [
      {
        row: 2,
        slug: 'LaunchCase',
        url: 'https://example.com/short-io',
        title: 'Release',
        tags: ['launch', 'marketing'],
        created_at: '2026-05-01T08:00:00.000Z',
        expires_at: '2100-05-01T08:00:00.000Z',
        imported_clicks: 245,
      },
      {
        row: 3,
        slug: 'never',
        url: 'https://example.com/never',
        created_at: '2026-05-01T08:00:00.000Z',
        imported_clicks: 0,
        disabled: true,
        notes: ['Its expiry date cannot be read: it is created disabled.'],
      },
    ],
  },
  'rebrandly.csv': {
    format: ['rebrandly', 'Rebrandly'],
    links: [
      {
        row: 2,
        slug: 'Offer',
        url: 'https://example.com/offer',
        title: 'Rebrand',
        tags: ['one', 'two'],
        created_at: '2020-02-29T01:02:03.000Z',
        imported_clicks: 8,
      },
      {
        row: 3,
        slug: 'off',
        url: 'https://example.com/off',
        title: 'Off',
        created_at: '2020-02-29T01:02:03.000Z',
        imported_clicks: 0,
        disabled: true,
        notes: ['It was archived or not active: it is created disabled.'],
      },
    ],
  },
};

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
