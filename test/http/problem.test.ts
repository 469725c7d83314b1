import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { call, openIsolate, ORIGIN, type Call } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function formOf(...entries: [name: string, value: string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

const PROBLEM = 'application/problem+json';
const typeOf = (code: string) => `${ORIGIN}/docs/errors#${code}`;

async function ask(path: string, init: RequestInit & { form?: Record<string, string> } = {}, through: Call = call) {
  const headers = { Accept: PROBLEM, ...(init.headers as Record<string, string>) };
  const response = await through(path, { ...init, headers });
  const type = response.headers.get('Content-Type');
  return { response, status: response.status, type, body: await response.json<Record<string, unknown>>() };
}

describe('problem details', () => {
  it('problem details list all faults of a form at once', async () => {
    const { apiKey } = await seedCaller();
    const form = { url: 'javascript:alert(1)', sec_id: '..', metadata: '{', colour: 'red', weight: '1' };
    const { status, type, body } = await ask('/v1/links', { headers: { 'X-API-Key': apiKey }, form });
    expect([status, type]).toEqual([400, PROBLEM]);
    expect(body).toEqual({
      type: typeOf('invalid_url'),
      title: 'Invalid url',
      status: 400,
      detail: 'url cannot have the scheme javascript: use https.',
      code: 'invalid_url',
      errors: [
        { field: 'url', detail: 'url cannot have the scheme javascript: use https.' },
        { field: 'client_id', detail: 'client_id is required.' },
        { field: 'metadata', detail: 'metadata must be a JSON text, such as {"team":"web"}.' },
        { field: 'sec_id', detail: 'sec_id must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".' },
        { field: 'colour', detail: 'There is no field "colour" here. Leave it out.' },
        { field: 'weight', detail: 'There is no field "weight" here. Leave it out.' },
      ],
    });
  });

  it.each<[what: string, query: string, body: BodyInit, code: string, errors: readonly [string, string][]]>([
    [
      'fields that a form repeats, or sends as files',
      '',
      formOf(['url', 'a'], ['url', 'b'], ['url', 'c'], ['x', new File(['a'], 'a')], ['y', '1'], ['y', '2']),
      'repeated_field',
      [
        ['url', 'The field "url" is given more than once.'],
        ['x', 'The field "x" is a file. Send it as a plain text field.'],
        ['y', 'The field "y" is given more than once.'],
      ],
    ],
    [
      'parameters that a query repeats',
      '/import?dry_run=true&client_id=a&dry_run=true&client_id=b',
      '',
      'repeated_field',
      [
        ['dry_run', 'The parameter "dry_run" is given more than once.'],
        ['client_id', 'The parameter "client_id" is given more than once.'],
      ],
    ],
    [
      'columns of a header',
      '/import',
      new Blob(['colour,slug,slug,size'], { type: 'text/csv' }),
      'unknown_field',
      [
        ['colour', 'There is no column "colour" here. Leave it out.'],
        ['size', 'There is no column "size" here. Leave it out.'],
        ['slug', 'The header has the column "slug" twice. Leave one out.'],
        ['url', 'url is required: add a column of that name to the header.'],
      ],
    ],
  ])('problem details list %s', async (_, path, body, code, errors) => {
    const { apiKey } = await seedCaller();
    const answer = await ask(`/v1/links${path}`, { method: 'POST', headers: { 'X-API-Key': apiKey }, body });
    expect(answer.body).toMatchObject({ code, errors: errors.map(([field, detail]) => ({ field, detail })) });
  });

  it('problem details list at most 50 faults', async () => {
    const { apiKey } = await seedCaller();
    const form = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}${'x'.repeat(100)}`, '']));
    const { body } = await ask('/v1/links', { headers: { 'X-API-Key': apiKey }, form });
    expect(body['errors']).toHaveLength(50);
    expect((body['errors'] as { field: string }[]).every(({ field }) => field.length <= 64)).toBe(true);
  });

  it('problem details name the field that a code is about', async () => {
    const { apiKey, clientId } = await seedCaller();
    const form = { url: `${ORIGIN}/x`, client_id: clientId };
    const { body } = await ask('/v1/links', { headers: { 'X-API-Key': apiKey }, form });
    expect(body).toMatchObject({ code: 'own_host', errors: [{ field: 'url', detail: body['detail'] }] });
  });

  it.each<[status: number, code: string, title: string, path: string, init: RequestInit, headers: readonly string[]]>([
    [401, 'missing_credential', 'Missing credential', '/v1/links', {}, ['WWW-Authenticate']],
    [401, 'missing_credential', 'Missing credential', '/tokens/token_info', {}, ['WWW-Authenticate']],
    [401, 'missing_credential', 'Missing credential', '/tokens/create_token', {}, ['WWW-Authenticate']],
    [404, 'not_found', 'Not found', '/v1/nothing', {}, []],
    [404, 'not_found', 'Not found', '/nosuchslug', {}, ['Vary']],
    [405, 'method_not_allowed', 'Method not allowed', '/v1/links', { method: 'PUT' }, ['Allow']],
    [405, 'method_not_allowed', 'Method not allowed', '/nosuchslug', { method: 'POST' }, ['Allow', 'Vary']],
    [415, 'unsupported_media_type', 'Unsupported media type', '/tokens/revoke_token', { method: 'POST' }, []],
  ])('problem details report %i %s', async (status, code, title, path, init, headers) => {
    const asked = await ask(path, init);
    expect([asked.status, asked.type]).toEqual([status, PROBLEM]);
    expect(asked.body).toEqual({ type: typeOf(code), title, status, code, detail: expect.stringMatching(/.+\.$/) });
    for (const header of headers) expect(asked.response.headers.get(header), header).not.toBeNull();
  });

  it('problem details report 403, 413, 429 and 503', async () => {
    const caller = await seedCaller();
    const key = { 'X-API-Key': caller.apiKey };
    const form = { url: 'https://example.com/', client_id: caller.clientId };
    const other = await ask('/v1/links', { headers: key, form: { ...form, client_id: 'other' } });
    expect([other.status, other.body['code']]).toEqual([403, 'wrong_client']);
    const large = await ask('/v1/links', { headers: key, form: { ...form, metadata: 'x'.repeat(70_000) } });
    expect([large.status, large.body['code']]).toEqual([413, 'body_too_large']);
    vi.spyOn(env.CREATE_LIMIT, 'limit').mockResolvedValue({ success: false });
    const often = await ask('/v1/links', { headers: key, form });
    expect([often.status, often.body['code'], often.response.headers.has('Retry-After')]).toEqual([
      429,
      'too_many_requests',
      true,
    ]);
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: no answer'));
    const away = await ask('/v1/links', { headers: bearerOf(caller) });
    expect([away.status, away.body['code'], away.type]).toEqual([503, 'store_unavailable', PROBLEM]);
  });

  it('problem details on a custom domain link to the public origin', async () => {
    const { body, status } = await ask('https://go.nowhere.example/x', {}, openIsolate({ PUBLIC_URL: ORIGIN }));
    expect([status, body['type']]).toEqual([404, typeOf('not_found')]);
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json, application/problem+json;q=0.5', 'application/json'],
    ['application/problem+json;q=0', 'application/json'],
    ['application/json, application/problem+json', PROBLEM],
    ['Application/Problem+JSON', PROBLEM],
    ['text/html, application/problem+json;q=0.9', 'text/html; charset=UTF-8'],
  ])('problem details are sent only if asked for: the response to Accept: %s is %s', async (accept, type) => {
    const { headers } = await call('/nosuchslug', { headers: { Accept: accept } });
    expect(headers.get('Content-Type')).toBe(type);
    if (type.startsWith('text')) return;
    const api = await call('/v1/nothing', { headers: { Accept: accept } });
    expect(api.headers.get('Content-Type')).toBe(type);
  });

  it('problem details have a type that documents every code', async () => {
    const response = await call('/docs/errors');
    const text = await response.text();
    expect(response.status).toBe(200);
    const sentences = Object.keys(STATUS_BY_CODE).map((code) => {
      const [, sentence] =
        new RegExp(`id="${code}"><code>${code}</code><p class="quiet">([^<]+)\\.</p>`).exec(text) ?? [];
      return sentence ?? `nothing about ${code}`;
    });
    expect(sentences).not.toContainEqual(expect.stringMatching(/^nothing/));
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
