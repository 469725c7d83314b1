import { afterEach, expect, it, vi } from 'vitest';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { HOST, openOperator } from '../support/operator.ts';
import { rowsOf, seedTenant } from '../support/seed.ts';

/** The commands of `npm run import`, as that sends them. */

const MINUTE_MS = 60_000;
const IMPORTED = 'client.imported';

afterEach(() => void vi.useRealTimers());

async function openImport(settings: Readonly<Record<string, string>> = {}) {
  const { key, ask, show } = await openOperator(settings);
  const { clientId } = await seedTenant();
  const begun = await (await ask('begin-import', { client_id: clientId })).json<{ key_id: string }>();
  const of = { client_id: clientId, key_id: begun.key_id };
  const id = crypto.randomUUID();
  const sendBody = async (body: string) => show(await signOperatorToken(key, HOST), { command: 'import-rows', body });
  const sendFile = (file: string, { before = 0, query = {} } = {}) => {
    const done = { id, rows: before, unchanged: 0, failed: 0 };
    const head = { ...of, format: 'csv', rows_before: before, before: done, query };
    return sendBody(`${JSON.stringify(head)}\n${file}`);
  };
  return {
    id,
    begun,
    sendBody,
    sendFile,
    /** Sends rows of a file with the column `url`. */
    sendRows: (rows: readonly string[], options?: { readonly before?: number; readonly query?: object }) =>
      sendFile(`url\n${rows.join('\n')}\n`, options),
    finish: (fields: object) => ask('finish-import', { ...of, ...fields }),
    links: async () => (await rowsOf('links')).filter((row) => row['client_id'] === clientId).map(({ url }) => url),
    entries: async () =>
      (await rowsOf('audit_entries')).filter((row) => row['client_id'] === clientId && row['action'] === IMPORTED),
    keys: async () =>
      (await rowsOf('api_keys'))
        .filter((row) => row['client_id'] === clientId && row['name'] === 'npm run import')
        .map(({ id, revoked_at }) => ({ id, isRevoked: revoked_at !== null })),
  };
}

const EXPIRED = {
  result: 'Failed',
  error: 'edit_conflict: The key of the import has expired: start the import again.',
};

it('an import of the operator creates the links of its pieces, is recorded once, and ends its key', async () => {
  const { id, begun, sendRows, finish, links, entries, keys } = await openImport();
  expect(begun).toEqual({ key_id: expect.stringMatching(/./) });
  const first = await sendRows(['https://a.example/', 'nonsense']);
  expect([first.status, await first.json()]).toEqual([
    200,
    expect.objectContaining({ created: 1, unchanged: 0, errors: 1, refused: [{ row: 3, error: expect.any(String) }] }),
  ]);
  expect((await sendRows(['https://a.example/', 'nonsense'])).status).toBe(200);
  const second = await sendRows(['https://b.example/'], { before: 2 });
  expect(await second.json()).toMatchObject({ created: 1, errors: 0 });
  expect(await links()).toEqual(expect.arrayContaining(['https://a.example/', 'https://b.example/']));
  expect(await entries()).toHaveLength(1);
  expect(await keys()).toEqual([{ id: begun.key_id, isRevoked: false }]);
  const done = await finish({ dry_run: false, import: { id, rows: 3, unchanged: 0, failed: 1 } });
  expect([done.status, await done.json()]).toEqual([200, {}]);
  expect(await keys()).toEqual([{ id: begun.key_id, isRevoked: true }]);
  const late = await sendRows(['https://c.example/'], { before: 3 });
  expect([late.status, await late.json()]).toEqual([409, EXPIRED]);
});

it('a dry run of an import of the operator leaves no link, no entry and no key', async () => {
  const { sendRows, finish, links, entries, keys } = await openImport();
  const tried = await sendRows(['https://a.example/'], { query: { dry_run: 'true' } });
  expect(await tried.json()).toMatchObject({ created: 1, errors: 0 });
  expect((await finish({ dry_run: true })).status).toBe(200);
  expect([await links(), await entries(), await keys()]).toEqual([[], [], []]);
});

it('the key of an import of the operator ends half an hour after its last piece', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { sendRows } = await openImport();
  for (const minutes of [29, 29]) {
    vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
    expect((await sendRows(['https://a.example/'])).status).toBe(200);
  }
  vi.setSystemTime(Date.now() + 30 * MINUTE_MS);
  expect((await sendRows(['https://a.example/'])).status).toBe(409);
});

it.each(['', 'url\nhttps://a.example/\n', '{"client_id": \nurl\n'])(
  'an import of the operator refuses a piece whose first line is not JSON: %j',
  async (body) => {
    const { sendBody } = await openImport();
    const refused = await sendBody(body);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { result: 'Failed', error: 'malformed_body: The first line is not JSON.' },
    ]);
  },
);

it('an import of the operator adds the domains of its rows, which its key alone could not', async () => {
  const { sendFile, links } = await openImport();
  const host = 'go.moved.example';
  const body = await (await sendFile(`Long URL,Short URL\nhttps://a.example/,https://${host}/moved\n`)).json();
  expect(body).toMatchObject({ created: 1, errors: 0 });
  expect(await links()).toEqual(['https://a.example/']);
  expect((await rowsOf('domains')).map((row) => row['host'])).toContain(host);
});

it('an import of the operator has the schemes of destinations that the operator has named', async () => {
  const { sendRows, links } = await openImport({ DESTINATION_SCHEMES: 'tel myapp' });
  const body = await (await sendRows(['tel:+15550100', 'myapp://open', 'geo:48.2,16.37'])).json();
  const error = 'invalid_url: url cannot have the scheme geo: use https, or one of myapp, tel.';
  expect(body).toMatchObject({ created: 2, refused: [{ row: 4, error }] });
  expect(await links()).toEqual(expect.arrayContaining(['tel:+15550100', 'myapp://open']));
});
