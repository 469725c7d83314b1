import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openApi } from '../../src/app/api.ts';
import { openCore } from '../../src/app/core.ts';
import { parseConfig } from '../../src/config/config.ts';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { namesWith } from '../../src/links/fields/shapes.ts';
import { openApiDocument } from '../../scripts/reference/document.ts';
import { answerFaults, DOCUMENT, faultsOf, OPERATIONS } from '../support/documented.ts';
import { call } from '../support/service.ts';

/** Paths that the Worker serves before the API is asked; the icon is an asset. */
const BEFORE_THE_API = [
  'GET /{slug}',
  'GET /{slug}+',
  'GET /robots.txt',
  'GET /.well-known/apple-app-site-association',
  'GET /.well-known/assetlinks.json',
  'GET /.well-known/terse-domain',
];

/** Pages, which no program calls. */
const PAGES = new Set(['GET /', 'GET /docs', 'GET /docs/*']);

/** The names of the properties that a form has, and of those that it needs. */
function fieldsOf(path: string): { fields: string[]; required: unknown; types: string[] } {
  const content = DOCUMENT.paths[path]?.['post']?.requestBody?.content ?? {};
  const name = content['multipart/form-data']?.schema.$ref?.split('/').at(-1) ?? '';
  const { properties = {}, required } = DOCUMENT.components.schemas[name] ?? {};
  return { fields: Object.keys(properties), required, types: Object.keys(content) };
}

/** The names of the schemas that these refer to, directly or not. */
function namesIn(values: unknown, names = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of JSON.stringify(values).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    namesIn(DOCUMENT.components.schemas[name], names);
  }
  return names;
}

interface ObjectSchema {
  readonly properties: object;
  readonly additionalProperties?: unknown;
}

function* objectsIn(schema: unknown, at: string): Generator<[at: string, schema: ObjectSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema && typeof schema.properties === 'object' && schema.properties !== null) {
    if ('type' in schema && schema.type === 'object') yield [at, { ...schema, properties: schema.properties }];
  }
  for (const [name, inner] of Object.entries(schema)) yield* objectsIn(inner, `${at}/${name}`);
}

describe('the API document', () => {
  it('the API document has every path and method that the service serves, and no other', async () => {
    const parts = await openApi(openCore(parseConfig({ ...env }))).loadParts();
    const served = parts
      .flatMap(({ routes }) => routes)
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
      .map((name) => name.replace('{clientId}/{secId}', '{client_id}/{sec_id}'));
    expect(OPERATIONS.map(({ name }) => name).toSorted()).toEqual(
      [...new Set([...served, ...BEFORE_THE_API])].filter((name) => !PAGES.has(name)).toSorted(),
    );
  });

  it('the API document has the version of the package, and an id for each operation', () => {
    expect(openApiDocument()).toMatchObject({ openapi: '3.1.0', info: { version: packageJson.version } });
    expect(new Set(OPERATIONS.map(({ operation }) => operation.operationId)).size).toBe(OPERATIONS.length);
  });

  it('the API document lists every error code with its status', () => {
    expect(openApiDocument()['x-error-codes']).toEqual(STATUS_BY_CODE);
  });

  it('the API document has the forms of the published interface, and of POST /v1/links more fields after them', () => {
    const published = ['url', 'client_id', 'campaign_name', 'custom_domain', 'metadata', 'sec_id'];
    const required = ['url', 'client_id'];
    const forms = ['multipart/form-data', 'application/x-www-form-urlencoded'];
    expect(fieldsOf('/shortener/encode')).toEqual({ fields: published, required, types: forms });
    const { fields, ...others } = fieldsOf('/v1/links');
    expect(others).toEqual({ required, types: ['application/json', ...forms] });
    expect(fields.slice(0, published.length)).toEqual(published);
    const more = namesWith('create').filter((name) => !published.includes(name));
    expect(fields.slice(published.length)).toEqual([...more, 'reuse']);
    expect(fields).toEqual(expect.arrayContaining(['slug', 'expires_at']));
  });

  it('the API document deprecates POST /shortener/encode and nothing else', () => {
    const deprecated = OPERATIONS.filter(({ operation }) => 'deprecated' in operation);
    expect(deprecated.map(({ name }) => name)).toEqual(['POST /shortener/encode']);
  });

  it('the API document forbids further fields in requests, which refuse them, and allows them in responses', () => {
    const sent = namesIn(OPERATIONS.map(({ operation }) => operation.requestBody));
    const returned = namesIn(OPERATIONS.map(({ operation }) => operation.responses));
    const objects = [...objectsIn(DOCUMENT.components.schemas, '')];
    const open = objects.filter(([, { additionalProperties }]) => additionalProperties !== false);
    const openBodies = open.filter(([at]) => sent.has(at.split('/')[1] ?? ''));
    // OAuth clients send fields of their own with these two.
    expect(openBodies.map(([at]) => at)).toEqual(['/TokenRefresh', '/TokenRevocation']);
    const closed = objects.filter(([, { additionalProperties }]) => additionalProperties === false);
    expect(closed.filter(([at]) => returned.has(at.split('/')[1] ?? ''))).toEqual([]);
  });

  it('the API document is compared with responses with fields that it does not know, which are errors of the tests', () => {
    const schema = { $ref: '#/components/schemas/Health' };
    const health = { status: 'ok', checked: [] };
    expect(answerFaults(schema, health)).toEqual([]);
    expect(answerFaults(schema, { ...health, mood: 'good' })).not.toEqual([]);
    expect(faultsOf(schema, { ...health, mood: 'good' })).toEqual([]);
  });
});

describe('GET /openapi.json', () => {
  it('GET /openapi.json is the document, for any origin, to be asked for again', async () => {
    const response = await call('/openapi.json');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^"[0-9a-f]+"$/),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  });

  it('GET /openapi.json is 304 if the caller has it already', async () => {
    const etag = (await call('/openapi.json')).headers.get('ETag') ?? '';
    const response = await call('/openapi.json', { headers: { 'If-None-Match': etag } });
    expect([response.status, await response.text(), response.headers.get('ETag')]).toEqual([304, '', etag]);
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
  });

  it('GET /openapi.json is on the service’s host only', async () => {
    expect((await call('https://go.acme.example/openapi.json')).status).toBe(404);
  });
});
