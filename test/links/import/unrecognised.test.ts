import { describe, expect, it } from 'vitest';
import { SAY_WHAT_IT_IS } from '../../../src/links/import/mapping.ts';
import { JSON_FILE } from '../../support/exports.ts';
import { importFile, NDJSON, newSlug, openClient, outcomesOf, sendFile } from '../../support/files.ts';
import { rowsOf } from '../../support/seed.ts';

describe('a file of JSON that no service is known to write', () => {
  const ROW = { target_address: 'https://example.com/', code: 'abc', nested: { a: [1] }, count: 3 };
  const SHOWN = '"target_address": "https://example.com/", "code": "abc", "nested": "{\\"a\\":[1]}", "count": "3"';

  it.each([
    ['lines', NDJSON, JSON.stringify(ROW)],
    ['a list', JSON_FILE, JSON.stringify({ data: [ROW, ROW] })],
  ])(
    'a file of JSON that no service is known to write is refused with how to say what it is, and its first row: %s',
    async (_, type, text) => {
      const manager = await openClient();
      const response = await sendFile(manager, text, { type });
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          result: 'Failed',
          error: `missing_field: url is required: the first row has no field of that name. ${SAY_WHAT_IT_IS} Its first row is ${SHOWN}.`,
        },
      ]);
      expect((await rowsOf('links')).filter((row) => row['client_id'] === manager.tenant.clientId)).toEqual([]);
      const mapped = '?map_url=target_address&map_slug=code&dry_run=true';
      expect(outcomesOf(await importFile(manager, text, { type, query: mapped }))[0]).toBe('created');
    },
  );

  it('a file of JSON that no service is known to write has errors in its rows if they have a destination, and says so once more in its notes', async () => {
    const [bad, fine] = [newSlug(), newSlug()];
    const text = `{"url":"https://example.com/","slug":"${bad}","code":1}\n{"url":"https://example.com/","slug":"${fine}"}`;
    const imported = await importFile(await openClient(), text, { type: NDJSON });
    expect(outcomesOf(imported)).toEqual(['unknown_field', 'created']);
    expect(imported.notes).toEqual([
      `${SAY_WHAT_IT_IS} Its first row is "url": "https://example.com/", "slug": "${bad}", "code": "1".`,
    ]);
  });

  it('a file of JSON that no service is known to write has no such note if the caller has said what it is', async () => {
    const text = '{"url":"https://example.com/","code":1}';
    const imported = await importFile(await openClient(), text, { type: NDJSON, query: '?from=terse' });
    expect([outcomesOf(imported), imported.notes]).toEqual([['unknown_field'], []]);
  });
});
