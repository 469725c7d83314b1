import { describe, expect, it } from 'vitest';
import { importFile, NDJSON, newSlug, openClient } from '../support/files.ts';
import { expectFailure, seedCaller, storedLinks } from '../support/forms.ts';
import { failed, open } from '../support/manage.ts';
import { call } from '../support/service.ts';

/** Metadata sent as a JSON value, not as a JSON text. */

const json = (headers: Record<string, string>, text: string, path = '/v1/links') =>
  call(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: text });

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('metadata', () => {
  it.each<[sent: string, stored: string]>([
    ['{ "team": "web", "n": [1, 2.50] }', '{"team":"web","n":[1,2.5]}'],
    ['[]', '[]'],
    ['7', '7'],
    ['0', '0'],
    ['false', 'false'],
    ['{"__proto__": 1}', '{"__proto__":1}'],
    ['"{ \\"a\\": 1 }"', '{ "a": 1 }'],
    ['{"a": "ü"}', '{"a":"ü"}'],
  ])('metadata %s is kept as the text %s', async (sent, stored) => {
    const caller = await seedCaller();
    const headers = { 'X-API-Key': caller.apiKey };
    const response = await json(headers, `{"url": "https://example.com/", "metadata": ${sent}}`);
    expect(response.status).toBe(200);
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result).metadata).toBe(stored);
    const batch = await json(
      headers,
      `{"links": [{"url": "https://example.com/", "metadata": ${sent}}]}`,
      '/v1/links/batch',
    );
    expect(await batch.json()).toMatchObject({ results: [{ status: 201, link: { metadata: stored } }] });
  });

  it('metadata is kept the same way in an import of NDJSON, which is unchanged when repeated, and null means none there', async () => {
    const manager = await openClient();
    const sent = ['{ "team": "web", "n": [1, 2.50] }', '[]', '0', 'false', '"{ \\"a\\": 1 }"', 'null'];
    const slugs = sent.map(() => newSlug());
    const file = sent.map((text, n) => `{"slug": "${slugs[n]}", "url": "https://example.com/", "metadata": ${text}}\n`);
    const made = await importFile(manager, file.join(''), { type: NDJSON });
    const stored = ['{"team":"web","n":[1,2.5]}', '[]', '0', 'false', '{ "a": 1 }', null];
    expect(made.results.map(({ status, link }) => [status, link?.metadata])).toEqual(
      stored.map((text) => ['created', text]),
    );
    expect(await importFile(manager, file.join(''), { type: NDJSON })).toMatchObject({
      unchanged: sent.length,
      errors: 0,
    });
  });

  it('metadata is refused in a line of NDJSON by the same rules', async () => {
    const manager = await openClient();
    const sent = ['"hello"', '[9007199254740993]', nested(101), `["${'a'.repeat(4093)}"]`];
    const file = sent.map((text) => `{"url": "https://example.com/", "metadata": ${text}}\n`).join('');
    const { results } = await importFile(manager, file, { type: NDJSON });
    expect(results.map(({ error }) => error)).toEqual([
      'invalid_metadata: metadata must be a JSON text, such as {"team":"web"}.',
      'invalid_metadata: metadata has a number that would lose digits: send the number as a string, or the metadata as a JSON text.',
      'invalid_metadata: metadata must be nested at most 100 levels deep.',
      'too_long: metadata must be at most 4096 bytes long.',
    ]);
  });

  it('metadata may be left out, and be null', async () => {
    const caller = await seedCaller();
    for (const field of ['', ', "metadata": null']) {
      const response = await json({ 'X-API-Key': caller.apiKey }, `{"url": "https://example.com/"${field}}`);
      const { result } = await response.json<{ result: string }>();
      expect(JSON.parse(result).metadata).toBeNull();
    }
  });

  it.each<[what: string, sent: string, error: string]>([
    ['a text that is no JSON', '"hello"', 'invalid_metadata: metadata must be a JSON text, such as {"team":"web"}.'],
    ['4,097 bytes', `["${'a'.repeat(4093)}"]`, 'too_long: metadata must be at most 4096 bytes long.'],
    ['4,097 bytes of two each', `["${'ü'.repeat(2047)}"]`, 'too_long: metadata must be at most 4096 bytes long.'],
    ['5,000 values', `[${'1,'.repeat(4999)}1]`, 'too_long: metadata must be at most 4096 bytes long.'],
    [
      '5,000 names',
      `{${Array.from({ length: 5000 }, (_, n) => `"${n}":1`).join()}}`,
      'too_long: metadata must be at most 4096 bytes long.',
    ],
    ['101 levels', nested(101), 'invalid_metadata: metadata must be nested at most 100 levels deep.'],
    ['20,000 levels', nested(20_000), expect.stringMatching(/^(invalid_metadata|malformed_body): /)],
    [
      'a number that would be changed',
      '{"id": 9007199254740993}',
      'invalid_metadata: metadata has a number that would lose digits: send the number as a string, or the metadata as a JSON text.',
    ],
    [
      'a number beyond all bounds',
      '[1e999]',
      'invalid_metadata: metadata has a number that would lose digits: send the number as a string, or the metadata as a JSON text.',
    ],
  ])('metadata is refused where it is %s', async (_what, sent, error) => {
    const caller = await seedCaller();
    const before = await storedLinks();
    const response = await json({ 'X-API-Key': caller.apiKey }, `{"url": "https://example.com/", "metadata": ${sent}}`);
    await expectFailure(response, 400, error);
    expect(await storedLinks()).toEqual(before);
  });

  it('metadata may have a text of 4,096 bytes', async () => {
    const caller = await seedCaller();
    const sent = `["${'ü'.repeat(2046)}"]`;
    const response = await json({ 'X-API-Key': caller.apiKey }, `{"url": "https://example.com/", "metadata": ${sent}}`);
    expect(response.status).toBe(200);
  });

  it('metadata may be a JSON value in an edit too, where null clears it', async () => {
    const { make, ask } = await open();
    const id = await make();
    const edit = (metadata: unknown) => ask('PATCH', `/v1/links/${id}`, { metadata });
    expect(await edit({ team: 'web' })).toMatchObject({ status: 200, body: { metadata: '{"team":"web"}' } });
    expect(await edit('{ "a": 1 }')).toMatchObject({ status: 200, body: { metadata: '{ "a": 1 }' } });
    expect(await edit([2 ** 53])).toMatchObject({ status: 400, body: failed('invalid_metadata') });
    expect(await edit(null)).toMatchObject({ status: 200, body: { metadata: null } });
  });

  it('metadata is a text in a form', async () => {
    const caller = await seedCaller();
    const form = { url: 'https://example.com/', client_id: caller.clientId, metadata: '[ 1 ]' };
    const response = await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form });
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result).metadata).toBe('[ 1 ]');
  });
});
