import { describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { importFile, CSV, openClient, sendFile } from '../support/files.ts';
import { db, rowsOf, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** The body of an import: its form and its cost. */

const URL_LINE = 'https://example.com/';

describe('the body of an import', () => {
  const MAX_BYTES = 10 * 1024 * 1024;
  const tooLarge = { result: 'Failed', error: 'body_too_large: The body may be at most 10485760 bytes long.' };
  const fileOf = (size: number) => `url\n${URL_LINE}\n`.padEnd(size, '\n');

  it('the body of an import may have 10 MiB, and no byte more', async () => {
    const manager = await openClient();
    expect((await sendFile(manager, fileOf(MAX_BYTES))).status).toBe(200);
    const response = await sendFile(manager, fileOf(MAX_BYTES + 1));
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
  });

  it('the body of an import is counted while it is read, with any Content-Length', async () => {
    const manager = await openClient();
    const chunk = Buffer.from('\n'.repeat(1024 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 40) return controller.close();
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const before = await rowsOf('links');
    const response = await sendFile(manager, body);
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
    expect(sent).toBeLessThan(20);
    expect(await rowsOf('links')).toEqual(before);
  });

  it.each(['application/xml', 'text/plain', 'application/octet-stream', ''])(
    'the body of an import is refused as %j',
    async (type) => {
      const response = await sendFile(await openClient(), 'url\n', { type });
      expect([response.status, await response.json()]).toEqual([
        415,
        {
          result: 'Failed',
          error:
            'unsupported_media_type: Send the file itself, as text/csv or application/csv or application/vnd.ms-excel or ' +
            'text/tab-separated-values or application/x-ndjson or application/ndjson or application/json, or in a form, as ' +
            'multipart/form-data.',
        },
      ]);
    },
  );

  it.each(['gzip', 'br', 'deflate', 'identity, gzip'])(
    'the body of an import is refused with Content-Encoding %s',
    async (encoding) => {
      const manager = await openClient();
      const headers = { ...manager.key, 'Content-Encoding': encoding };
      const response = await sendFile(manager, 'url\n', { headers });
      expect([response.status, await response.json()]).toEqual([
        415,
        {
          result: 'Failed',
          error: 'unsupported_media_type: Send the body as it is, without a Content-Encoding such as gzip.',
        },
      ]);
      expect(
        (await sendFile(manager, 'url\n', { headers: { ...headers, 'Content-Encoding': 'identity' } })).status,
      ).toBe(200);
    },
  );

  it.each([
    ['dry_run=yes', 'invalid_dry_run: dry_run must be true or false.'],
    ['dry_run=true&dry_run=true', 'repeated_field: The parameter "dry_run" is given more than once.'],
    ['format=csv', 'unknown_field: There is no field "format" here. Leave it out.'],
  ])('the body of an import is not read with ?%s', async (query, error) => {
    const response = await sendFile(await openClient(), `url\n${URL_LINE}\n`, { query: `?${query}` });
    expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error }]);
  });

  it('the body of an import is refused with an invalid key after some rows, and the others are not checked', async () => {
    const manager = await openClient();
    const headers = { ...manager.key, 'X-API-Key': `tk_${'a'.repeat(12)}_${'b'.repeat(43)}` };
    const rows = Array.from({ length: 2500 }, (_, n) => `${URL_LINE}${n}\n`).join('');
    const checks = vi.spyOn(URL, 'parse');
    const response = await sendFile(manager, `url\n${rows}`, { headers });
    expect(response.status).toBe(401);
    expect(checks.mock.calls.length).toBeLessThan(1000);
    checks.mockRestore();
  });

  it('the body of an import needs to know the client of a user of several', async () => {
    const [manager, second] = [await openClient(), await seedTenant()];
    await addMember(db, manager.tenant.userName, second.clientId);
    const file = `url\n${URL_LINE}\n`;
    const send = (query: string) => sendFile(manager, file, { type: CSV, query, headers: manager.bearer });
    expect((await send('')).status).toBe(400);
    expect((await send('?client_id=another')).status).toBe(403);
    const body = await importFile(manager, file, { query: `?client_id=${second.clientId}`, headers: manager.bearer });
    expect(body.results[0]?.link?.client_id).toBe(second.clientId);
  });
});

it('an import counts against the limit on creates, one for each 25 rows', async () => {
  const tryOnce = async () => {
    const call = openIsolate({ CREATE_LIMITING: 'on' });
    const { key } = await openClient();
    // A batch counts all of its links, also those that it refuses.
    const useUp = async (count: number) => {
      const links = Array.from({ length: count }, () => ({ url: URL_LINE, client_id: 'another' }));
      const headers = { ...key, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ links }) };
      expect((await call('/v1/links/batch', init)).status).toBe(200);
    };
    const send = async (rows: number) => {
      const body = `url\n${'x\n'.repeat(rows)}`;
      const headers = { ...key, 'Content-Type': CSV };
      return (await call('/v1/links/import?dry_run=true', { method: 'POST', headers, body })).status;
    };
    // 2,999 of the 3,000 a minute are used up. A new minute may begin meanwhile.
    for (const links of [...Array.from({ length: 29 }, () => 100), 99]) await useUp(links);
    return [await send(25), await send(1)].join(' ');
  };
  await expect.poll(tryOnce).toBe('200 429');
});
