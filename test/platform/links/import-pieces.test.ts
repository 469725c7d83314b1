import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_FILE_BYTES, MAX_ROWS_IN_PIECES, PIECE } from '../../../src/links/import/bounds.ts';
import { newSlug } from '../../support/files.ts';
import type { Caller } from '../../support/forms.ts';
import { seedMember } from '../../support/management.ts';
import { form, openBrowser, openLinks, PAGE_HEADERS, pageHeadersOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';
import { call, ORIGIN } from '../../support/service.ts';
import { addWebhook, eventRowsOf } from '../../support/webhooks.ts';

afterEach(() => void vi.useRealTimers());

const IMPORT_ID = 'b6c7f0f2-7a51-4a3e-9f0a-5f4a1f5c9a11';
const FIRST = { rows_before: '0', rows: '0', unchanged: '0', failed: '0', is_last: 'false' };

/** A piece of a CSV, as the page's script sends it. */
function piece(text: string, fields: Readonly<Record<string, string>> = {}, headers = {}): RequestInit {
  const body = new FormData();
  body.set('file', new Blob([text]));
  const all = { format: 'csv', checked: '', import_id: IMPORT_ID, ...FIRST, ...fields };
  for (const [name, value] of Object.entries(all)) body.set(name, value);
  return { method: 'POST', body, headers: { Origin: ORIGIN, Accept: 'application/problem+json', ...headers } };
}

const csv = (slugs: readonly string[]) =>
  `slug,url\n${slugs.map((slug) => `${slug},https://example.com/${slug}\n`).join('')}`;

const slugsOf = async ({ clientId }: Pick<Caller, 'clientId'>) =>
  (await rowsOf('links')).filter((row) => row['client_id'] === clientId).map((row) => row['slug']);

async function openHooked(): Promise<LinksScene> {
  const scene = await openLinks();
  await addWebhook(scene.caller.clientId);
  return scene;
}

describe('a piece of a file', () => {
  it('a piece of a file is imported, and its rows have the numbers that they have in the file', async () => {
    const { caller, browse, path } = await openLinks();
    const [one, two] = [newSlug(), newSlug()];
    const text = `slug,url,clicks_left,max_clicks\n${one},https://example.com/,,\n${two},https://example.com/,,5\nnot valid,nowhere,,\n`;
    const response = await browse(`${path}/import/piece`, piece(text, { rows_before: '4000', rows: '3990' }));
    expect([response.status, pageHeadersOf(response)]).toEqual([200, PAGE_HEADERS]);
    expect(await response.json()).toMatchObject({
      rows: 3,
      created: 2,
      unchanged: 0,
      errors: 1,
      format: { id: 'terse', name: 'Terse', by: 'recognised' },
      skipped: [],
      refused: [{ row: 4004, error: expect.stringMatching(/^Slug must be/) }],
      noted: [{ row: 4003, notes: [expect.stringMatching(/disabled/)] }],
      pending: [],
    });
    expect(new Set(await slugsOf(caller))).toEqual(new Set([one, two]));
  });

  it('a piece of a file has the errors and the notes of its rows in the language of the page', async () => {
    const { browse, path } = await openLinks();
    const text = `slug,url,has_password,clicks_left,max_clicks\n${newSlug()},https://example.com/,,3,5\n,nowhere,,,\n`;
    const response = await browse(`${path}/import/piece`, piece(text, {}, { 'Accept-Language': 'de' }));
    expect(await response.json()).toMatchObject({
      refused: [{ row: 3, error: expect.stringMatching(/^Ziel: Geben Sie eine vollständige/) }],
      noted: [{ row: 2, notes: ['Von seinen 5 Klicks sind 3 übrig: Ein neuer Link hat dieses Limit.'] }],
    });
  });

  it('a piece of a file that is sent again creates nothing, with slugs and without', async () => {
    const { caller, browse, path } = await openLinks();
    const text = `slug,url\n${newSlug()},https://example.com/1\n,https://example.com/2\n,https://example.com/2\n`;
    const send = async () => (await browse(`${path}/import/piece`, piece(text))).json<object>();
    expect(await send()).toMatchObject({ created: 2, unchanged: 1, errors: 0 });
    const before = await slugsOf(caller);
    expect(await send()).toMatchObject({ created: 0, unchanged: 3, errors: 0 });
    expect(await slugsOf(caller)).toEqual(before);
  });

  it.each([
    ['rows_before', MAX_FILE_BYTES],
    ['rows', MAX_ROWS_IN_PIECES],
    ['unchanged', MAX_ROWS_IN_PIECES],
    ['failed', MAX_ROWS_IN_PIECES],
  ])('a piece of a file has %s of 0 to %i', async (name, most) => {
    const { caller, browse, path } = await openLinks();
    const slug = newSlug();
    const send = async (value: number) =>
      (await browse(`${path}/import/piece`, piece(csv([slug]), { [name]: String(value) }))).status;
    expect([await send(-1), await send(0.5), await send(most + 1), await slugsOf(caller)]).toEqual([400, 400, 400, []]);
    expect([await send(most), await slugsOf(caller)]).toEqual([200, [slug]]);
  });

  it('a piece of a file is read as the first one was, and its links go where that was said', async () => {
    const { caller, browse, path } = await openLinks();
    const text = '[{"address": "later", "target": "https://example.com/", "domain": "sho.rt"}]';
    const fields = { format: 'json', checked: 'from=kutt&host=sho.rt%3Ashared', rows_before: '1000', rows: '1000' };
    const response = await browse(`${path}/import/piece`, piece(text, fields));
    expect(await response.json()).toMatchObject({ created: 1, format: { id: 'kutt', by: 'chosen' } });
    expect(await slugsOf(caller)).toEqual(['later']);
  });

  it('a piece of a file has no event of its own: the last one announces that of the whole file', async () => {
    const { caller, browse, path } = await openHooked();
    const [one, two] = [[newSlug(), newSlug()], [newSlug()]];
    await browse(`${path}/import/piece`, piece(csv([...one, 'not valid'])));
    const last = { rows_before: '3', rows: '3', failed: '1', is_last: 'true' };
    await browse(`${path}/import/piece`, piece(csv([...two, one[0]!]), last));
    const events = await eventRowsOf(caller.clientId);
    expect(events.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      ['links.imported', { rows: 5, created: 3, unchanged: 1, failed: 1 }],
    ]);
    // Its response was lost.
    await browse(`${path}/import/piece`, piece(csv([...two, one[0]!]), last));
    expect(await eventRowsOf(caller.clientId)).toHaveLength(1);
  });

  it('a piece of a file belongs to no import of another user, whatever its id', async () => {
    const { caller, browse, path } = await openHooked();
    const other = await openBrowser(await seedMember(caller));
    await browse(`${path}/import/piece`, piece(csv([newSlug()])));
    await other.browse(`${path}/import/piece`, piece(csv([newSlug()]), { is_last: 'true' }));
    expect(await eventRowsOf(caller.clientId)).toHaveLength(2);
  });

  it('the audit log has one entry of an import, whatever its pieces, one an hour of a user, and none of a file that creates nothing', async () => {
    const { caller, browse, path } = await openLinks();
    const [first, second] = [csv([newSlug(), newSlug()]), csv([newSlug()])];
    const entries = async () =>
      (await rowsOf('audit_entries'))
        .filter((row) => row['client_id'] === caller.clientId && row['action'] === 'client.imported')
        .map((row) => [row['user_id'], row['credential_kind']]);
    await browse(`${path}/import/piece`, piece(csv(['not valid'])));
    expect(await entries()).toEqual([]);
    await browse(`${path}/import/piece`, piece(first));
    await browse(`${path}/import/piece`, piece(first));
    await browse(`${path}/import/piece`, piece(second, { rows_before: '2', rows: '2', is_last: 'true' }));
    expect(await entries()).toEqual([[caller.userId, 'session']]);
    const other = () => piece(csv([newSlug()]), { import_id: crypto.randomUUID(), is_last: 'true' });
    await browse(`${path}/import/piece`, other());
    expect(await entries()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 3_600_001);
    await browse(`${path}/import/piece`, other());
    expect(await entries()).toHaveLength(2);
  });

  it('a piece of a file of a member is imported, and adds no domain', async () => {
    const { caller, path } = await openLinks();
    const { browse } = await openBrowser(await seedMember(caller));
    const text = `slug,url,custom_domain\n${newSlug()},https://example.com/,\nx,https://example.com/,go.pieces.example\n`;
    expect(await (await browse(`${path}/import/piece`, piece(text))).json()).toMatchObject({
      created: 1,
      refused: [{ row: 3, error: expect.stringMatching(/^go.pieces.example .*only an owner can add it/) }],
    });
    expect((await rowsOf('domains')).filter(({ host }) => host === 'go.pieces.example')).toEqual([]);
  });
});

describe('a refused piece of a file', () => {
  it('a piece of a file is refused in a workspace of others, which is not found', async () => {
    const [{ browse }, stranger] = [await openLinks(), await openLinks()];
    const response = await browse(`${stranger.path}/import/piece`, piece(csv([newSlug()])));
    expect([response.status, response.headers.get('Content-Type')]).toEqual([404, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ code: 'not_found', detail: 'There is no such page.' });
    expect(await slugsOf(stranger.caller)).toEqual([]);
  });

  it.each([[{ Origin: 'https://evil.example' }], [{ Origin: 'null' }]])(
    'a piece of a file is refused from elsewhere: %j',
    async (headers) => {
      const { caller, browse, path } = await openLinks();
      const response = await browse(`${path}/import/piece`, piece(csv([newSlug()]), {}, headers));
      expect([response.status, await response.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'wrong_origin' }),
      ]);
      expect(await slugsOf(caller)).toEqual([]);
    },
  );

  it('a piece of a file is refused without a session, and says so instead of showing the sign-in', async () => {
    const { caller, path } = await openLinks();
    const response = await call(`${path}/import/piece`, piece(csv([newSlug()])));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'missing_credential' });
    expect(await slugsOf(caller)).toEqual([]);
  });

  it.each<[string, string, Readonly<Record<string, string>>, number, string]>([
    ['is too large', 'x'.repeat(PIECE.maxBytes + 70_000), {}, 413, 'body_too_large'],
    ['has too many rows', `url\n${'https://example.com/\n'.repeat(PIECE.maxRows + 1)}`, {}, 400, 'too_many_rows'],
    ['is of no import', 'url\n', { import_id: 'one' }, 400, 'malformed_body'],
    ['is of a larger file', 'url\n', { rows: '100001' }, 400, 'malformed_body'],
    ['has no number', 'url\n', { rows_before: '-1' }, 400, 'malformed_body'],
    ['has a field too many', 'url\n', { dry_run: 'true' }, 400, 'malformed_body'],
    ['has an unknown format', 'url\n', { format: 'xml' }, 400, 'malformed_body'],
    ['was checked as nothing', 'url\n', { checked: 'from=nothing' }, 400, 'invalid_from'],
    ['has a column that there is not', 'url,price\n', {}, 400, 'unknown_field'],
  ])('a piece of a file is refused if it %s', async (_, text, fields, status, code) => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}/import/piece`, piece(text, fields));
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('a piece of a file can have as many rows as a page sends at once', async () => {
    const { browse, path } = await openLinks();
    const text = `slug,url\n${'not valid,https://example.com/\n'.repeat(PIECE.maxRows)}`;
    const response = await browse(`${path}/import/piece`, piece(text));
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ rows: PIECE.maxRows, errors: PIECE.maxRows }),
    ]);
  });

  it('a piece of a file is refused without a file, and as another form', async () => {
    const { browse, path } = await openLinks();
    expect((await browse(`${path}/import/piece`, form({ format: 'csv' }))).status).toBe(415);
    expect((await browse(`${path}/import/piece`, piece(''))).status).toBe(400);
  });
});

it('a failure is a page unless a script asks for problem details', async () => {
  const [{ browse }, stranger] = [await openLinks(), await openLinks()];
  const response = await browse(`${stranger.path}/import/piece`, piece('', {}, { Accept: 'text/html' }));
  expect([response.status, response.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
});
