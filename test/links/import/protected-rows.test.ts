import { describe, expect, it } from 'vitest';
import { namesWith } from '../../../src/links/fields/shapes.ts';
import { importFile, NDJSON, newSlug, openClient, outcomesOf, type Imported } from '../../support/files.ts';
import { call } from '../../support/service.ts';

describe('has_password in a file of this service', () => {
  it('has_password in a file of this service that is neither true nor false is an error of its row, not of the file', async () => {
    const [bad, empty, fine] = [newSlug(), newSlug(), newSlug()];
    const url = 'https://example.com/';
    const csv = `slug,url,has_password\n${bad},${url},perhaps\n${empty},${url},\n${fine},${url},TRUE\n`;
    const imported = await importFile(await openClient(), csv);
    expect(outcomesOf(imported)).toEqual(['malformed_row', 'created', 'created']);
    expect(imported.results[0]).toEqual({
      row: 2,
      status: 'error',
      error: 'malformed_row: has_password must be true or false.',
      errors: [{ field: 'has_password', detail: 'has_password must be true or false.' }],
    });
    expect((await call(`/${bad}`)).status).toBe(404);
    expect((await call(`/${fine}`)).status).toBe(410);
    const line = JSON.stringify({ slug: bad, url, has_password: 'true' });
    expect(outcomesOf(await importFile(await openClient(), line, { type: NDJSON }))).toEqual(['malformed_row']);
  });

  it('has_password in a file of this service is no reason to refuse the file, as no other field with a wrong value is', async () => {
    const names = [...namesWith('row'), 'slug', 'url', 'aliases', 'disabled', 'has_password', 'password', 'created_at'];
    const rows = names.flatMap((name) =>
      [7, true, 'no', ['x'], { x: [{}] }].map((value) => ({ url: 'https://example.com/', [name]: value })),
    );
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    const imported = await importFile(await openClient(), text, { type: NDJSON, query: '?dry_run=true' });
    expect(imported.results).toHaveLength(rows.length);
  });
});

describe('a ttl in a file of Short.io', () => {
  it('a ttl in a file of Short.io is read as a date or as milliseconds since 1970, never as another number', async () => {
    const ttls = ['2099-12-31T00:00:00Z', '4102358400000', '86400', '43210', '4102358400'];
    const rows = ttls.map((ttl) => `https://example.com/,${newSlug()},${ttl}\n`);
    const file = `original_url,path,ttl\n${rows.join('')}`;
    const imported = await importFile(await openClient(), file, { query: '?host=shared' });
    expect(outcomesOf(imported)).toEqual(ttls.map(() => 'created'));
    const expiries = imported.results.map(({ link }) => link?.expires_at);
    expect(expiries).toEqual(['2099-12-31T00:00:00.000Z', '2099-12-31T00:00:00.000Z', null, null, null]);
    expect(imported.results.map(({ link }) => link?.disabled)).toEqual([false, false, true, true, true]);
    for (const { notes } of imported.results.slice(2)) {
      expect(notes?.join(' ')).toContain('Its expiry date cannot be read');
    }
  });
});

describe('a column that says a link is protected', () => {
  const disabledIn = ({ results }: Imported) => results.map(({ link }) => link?.disabled);

  it('a column that says a link is protected counts in a file whose columns are mapped', async () => {
    const [secret, banned, off, open] = [newSlug(), newSlug(), newSlug(), newSlug()];
    const rows = [`${secret},s3cret,,`, `${banned},,true,`, `${off},,false,TRUE`, `${open},,0,false`];
    const csv = `Name,Password,Banned,Disabled,Long link\n${rows.map((row) => `${row},https://example.com/\n`).join('')}`;
    const query = '?map_url=Long%20link&map_slug=Name';
    const imported = await importFile(await openClient(), csv, { query });
    expect(disabledIn(imported)).toEqual([true, true, true, false]);
    expect(imported.results.map(({ notes }) => notes)).toEqual([
      ['It had a password, which the file does not have: it is created disabled.'],
      ['It was banned: it is created disabled.'],
      ['It was archived or not active: it is created disabled.'],
      undefined,
    ]);
    expect(imported.columns.map(({ field }) => field)).toEqual(['slug', 'disabled', 'disabled', 'disabled', 'url']);
    expect((await call(`/${secret}`)).status).toBe(410);
    const again = csv.replaceAll(/^s-/gm, 't-');
    const published = await importFile(await openClient(), again, { query: `${query}&unprotected=publish` });
    expect(disabledIn(published)).toEqual([false, false, true, false]);
  });

  it('a column that says a link is protected counts in an export of this service that is taken for another one', async () => {
    const csv = `keyword,url,has_password,disabled\n${newSlug()},https://example.com/,true,false\n${newSlug()},https://example.com/,false,true\n`;
    const imported = await importFile(await openClient(), csv, { query: '?from=yourls&host=shared' });
    expect(disabledIn(imported)).toEqual([true, true]);
  });

  it('a column that says a link is protected counts beside another one that says the opposite', async () => {
    const link = { originalURL: 'https://example.com/', shortURL: `https://acme.short.gy/${newSlug()}` };
    const file = JSON.stringify({ links: [{ ...link, password: false, hasPassword: true }] });
    const query = '?host=shared';
    const imported = await importFile(await openClient(), file, { type: 'application/json', query });
    expect(imported.format.id).toBe('short_io');
    expect(disabledIn(imported)).toEqual([true]);
  });
});

describe('a protection in JSON that is no text', () => {
  const shlink = (fields: object) => ({ shortCode: newSlug(), longUrl: 'https://example.com/', ...fields });
  const meta = (fields: unknown) => shlink({ meta: fields, visitsSummary: { total: 1 } });

  it.each<[what: string, row: object]>([
    ['a password that is an object', shlink({ password: { hash: 'x' } })],
    ['a password that is an empty object', shlink({ password: {} })],
    ['a ban with its date', shlink({ banned: { at: 1 } })],
    ['limits that are a text', meta('x')],
    ['limits that are a list', meta([{ maxVisits: 3 }])],
    ['a limit that is an object', meta({ maxVisits: { a: 1 } })],
    ['a limit that is a list', meta({ maxVisits: [3] })],
    ['an end that is a list', meta({ validUntil: [1] })],
    ['a start that is an object', meta({ validSince: { at: 1 } })],
    ['a limit without the visits so far', shlink({ meta: { maxVisits: 10 } })],
    ['a limit and visits that are null', shlink({ meta: { maxVisits: 10 }, visitsSummary: { total: null } })],
  ])('a protection in JSON that is no text disables the link: %s', async (_, row) => {
    const textOf = () => JSON.stringify({ shortUrls: { data: [{ ...row, shortCode: newSlug() }] } });
    const send = async (query: string) =>
      importFile(await openClient(), textOf(), { type: 'application/json', query: `?host=shared${query}` });
    const closed = await send('');
    expect([outcomesOf(closed), closed.results[0]?.link?.disabled]).toEqual([['created'], true]);
    expect(closed.results[0]?.notes?.[0]).toContain('it is created disabled');
    const reopened = await send('&dry_run=true&unprotected=publish');
    expect(reopened.results[0]?.notes?.[0]).toContain('it is open now');
  });

  it('a protection in JSON that is missing leaves the link open', async () => {
    const rows = [shlink({ meta: {} }), shlink({ meta: null, password: null, banned: false }), meta({ maxVisits: 3 })];
    const text = JSON.stringify({ shortUrls: { data: rows } });
    const imported = await importFile(await openClient(), text, { type: 'application/json', query: '?host=shared' });
    expect(imported.results.map(({ link }) => [link?.disabled, link?.max_clicks])).toEqual([
      [false, null],
      [false, null],
      [false, 2],
    ]);
  });
});
