import { describe, expect, it } from 'vitest';
import { namesWith } from '../../../src/links/fields/shapes.ts';
import { importFile, NDJSON, newSlug, openClient, told } from '../../support/files.ts';
import { call } from '../../support/service.ts';

describe('has_password in a file of this service', () => {
  it('that is neither true nor false is an error of its row, not of the file', async () => {
    const [bad, empty, fine] = [newSlug(), newSlug(), newSlug()];
    const url = 'https://example.com/';
    const csv = `slug,url,has_password\n${bad},${url},yes\n${empty},${url},\n${fine},${url},TRUE\n`;
    const imported = await importFile(await openClient(), csv);
    expect(told(imported)).toEqual(['malformed_row', 'created', 'created']);
    expect(imported.results[0]).toEqual({
      row: 2,
      status: 'error',
      error: 'malformed_row: has_password must be true or false.',
      errors: [{ field: 'has_password', detail: 'has_password must be true or false.' }],
    });
    expect((await call(`/${bad}`)).status).toBe(404);
    expect((await call(`/${fine}`)).status).toBe(410);
    const line = JSON.stringify({ slug: bad, url, has_password: 'true' });
    expect(told(await importFile(await openClient(), line, { type: NDJSON }))).toEqual(['malformed_row']);
  });

  it('is no reason to refuse the file, as no other field with a wrong value is', async () => {
    const names = [...namesWith('row'), 'slug', 'url', 'aliases', 'disabled', 'has_password', 'password', 'created_at'];
    const rows = names.flatMap((name) =>
      [7, true, 'no', ['x'], { x: [{}] }].map((value) => ({ url: 'https://example.com/', [name]: value })),
    );
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    const imported = await importFile(await openClient(), text, { type: NDJSON, query: '?dry_run=true' });
    expect(imported.results).toHaveLength(rows.length);
  });
});
