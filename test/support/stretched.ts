import { DOCUMENT, OPERATIONS, type Documented } from './documented.ts';
import type { Fuzzed } from './fuzz-bent.ts';
import { toRequest } from './fuzz-bent.ts';
import { MULTIPART, toMultipart, toUrlencoded } from './fuzz-forms.ts';
import { PAGES } from './fuzz-pages.ts';

/** Every part of a request that can hold a text, so that a test can put a very long one there. */

/** A valid request except for the text in one part. `{…}` stands for a value that the test fills in. */
export interface Stretched {
  /** The name of the case, as `POST /v1/links, field url`. */
  readonly name: string;
  readonly requestOf: (text: string) => Fuzzed;
}

const IN_PATH: Readonly<Record<string, string>> = {
  id: '{link}',
  slug: '{link}',
  client_id: '{client}',
  sec_id: '{sec}',
  external_id: '{external}',
  local_id: '{user}',
  name: 'Spring',
  n: '1',
};

// Printable ASCII only, since the parsers of some headers refuse other characters.
const inHeader = (text: string) => text.toWellFormed().replace(/[^\t -~]/g, '_');
const inUrl = (text: string) => encodeURIComponent(text.toWellFormed());

const HEADERS: readonly (readonly [name: string, valueOf: (text: string) => string])[] = [
  ['Accept', (text) => `text/html;q=${text},${text}`],
  ['Accept-Language', (text) => text],
  ['Authorization', (text) => `Bearer ${text}`],
  ['Authorization', (text) => `Bearer${text}\u0085`],
  ['Authorization', (text) => `Basic ${Buffer.from(`ann:${text}`).toString('base64')}`],
  ['Authorization', (text) => `Basic ${Buffer.from(`${text}:x`).toString('base64')}`],
  ['CF-Connecting-IP', (text) => `::${text}`],
  ['Content-Type', (text) => `multipart/form-data; boundary=${text}`],
  ['Cookie', (text) => `__Host-terse=${text}; a=${text}`],
  ['Idempotency-Key', (text) => text],
  ['If-Match', (text) => `"${text}", ${text}`],
  ['If-None-Match', (text) => `"${text}", ${text}`],
  ['Origin', (text) => text],
  ['Referer', (text) => `https://example.com/${text}`],
  ['User-Agent', (text) => `Mozilla/5.0 ${text}`],
  ['X-API-Key', (text) => `tk_${text}`],
  ['X-Request-Id', (text) => text],
];

// Each of these is read the same way at every path, so each is tried at one path that reads it.
const HEADER_PATHS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/{link}'],
  ['GET', '/tokens/create_token'],
  ['GET', '/v1/links/{link}'],
  ['POST', '/v1/links'],
  ['GET', '/platform/account'],
];

const pathOf = (template: string, filled: Readonly<Record<string, string>> = {}) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? IN_PATH[name] ?? 'x');

const base = (documented: Documented, type?: string): Fuzzed => ({
  method: documented.method,
  path: pathOf(documented.path),
  headers: { ...credentialFor(documented), ...(type && { 'Content-Type': type }) },
  body: undefined,
});

function credentialFor({ operation }: Documented): Readonly<Record<string, string>> {
  const names = new Set(operation.security.flatMap(Object.keys));
  if (names.has('bearer')) return { Authorization: 'Bearer {access}' };
  if (names.has('apiKey')) return { 'X-API-Key': '{key}' };
  return names.has('basic') ? { Authorization: '{basic}' } : {};
}

function namesOf(schema: object): readonly string[] {
  const { $ref, properties = {} } = schema as { readonly $ref?: string; readonly properties?: object };
  return Object.keys(DOCUMENT.components.schemas[$ref?.split('/').at(-1) ?? '']?.properties ?? properties);
}

function ofBodies(documented: Documented): readonly Stretched[] {
  const bodies = Object.entries(documented.operation.requestBody?.content ?? {});
  return bodies.flatMap(([type, { schema, example }], index) => {
    const named = (field: string) => `${documented.name}, ${type}, ${field}`;
    if (typeof example === 'string') {
      const [columns = ''] = example.split(/\r?\n/);
      return (type === 'text/csv' ? columns.split(',') : ['url', 'slug', 'metadata']).map((column) => ({
        name: named(column),
        requestOf: (text) => ({
          ...base(documented, type),
          body:
            type === 'text/csv' ? `${column}\n"${text.replaceAll('"', '""')}"\n` : JSON.stringify({ [column]: text }),
        }),
      }));
    }
    const fields: Record<string, unknown> = {
      ...Object(example),
      ...('client_id' in Object(example) && { client_id: '{client}' }),
    };
    if (Array.isArray(fields['links'])) {
      return ['url', 'slug', 'custom_domain', 'campaign_name', 'metadata'].map((field) => ({
        name: named(`links.${field}`),
        requestOf: (text) => ({
          ...base(documented, type),
          body: JSON.stringify({
            ...fields,
            links: [{ url: 'https://example.com/', client_id: '{client}', [field]: text }],
          }),
        }),
      }));
    }
    // A further type is read the same way for all of its fields, which then are those of the first type.
    const names = [...new Set([...Object.keys(fields), ...namesOf(schema)])].slice(0, index === 0 ? undefined : 1);
    return names.map((field) => ({
      name: named(field),
      requestOf: (text) => ({ ...base(documented, typeOf(type)), body: encode(type, { ...fields, [field]: text }) }),
    }));
  });
}

const typeOf = (type: string) => (type === 'multipart/form-data' ? MULTIPART : type);

function encode(type: string, fields: Readonly<Record<string, unknown>>): string {
  if (type === 'application/json') return JSON.stringify(fields);
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return type === 'multipart/form-data' ? toMultipart(texts) : toUrlencoded(texts);
}

function ofQuery(documented: Documented): readonly Stretched[] {
  return (documented.operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({
      name: `${documented.name}, query ${name}`,
      requestOf: (text) => ({ ...base(documented), path: `${pathOf(documented.path)}?${name}=${inUrl(text)}` }),
    }));
}

function ofPath(documented: Documented): readonly Stretched[] {
  return [...documented.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name: `${documented.name}, path ${name}`,
    requestOf: (text) => ({ ...base(documented), path: pathOf(documented.path, { [name]: inUrl(text) }) }),
  }));
}

// A form may be there several times, with other fields.
const ofPages: readonly Stretched[] = [
  ...new Map(
    PAGES.flatMap((page) =>
      Object.keys(page.fields).map((field): [name: string, requestOf: Stretched['requestOf']] => [
        `${page.method} ${page.path}, field ${field}`,
        (text) => toRequest(page, Object.entries({ ...page.fields, [field]: text })),
      ]),
    ),
  ),
].map(([name, requestOf]) => ({ name, requestOf }));

const ofHeaders: readonly Stretched[] = HEADER_PATHS.flatMap(([method, path]) =>
  HEADERS.map(([header, valueOf]) => ({
    name: `${method} ${path}, header ${header}`,
    requestOf: (text) => ({
      method,
      path,
      headers: { [header]: inHeader(valueOf(text)) },
      body: method === 'POST' ? 'url=https://example.com/' : undefined,
    }),
  })),
);

const ofNames: readonly Stretched[] = [
  {
    name: 'GET /v1/links, names of the query',
    requestOf: (text) => ({
      method: 'GET',
      path: `/v1/links?${Array.from({ length: text.length / 8 }, (_, index) => `a${index}=1`).join('&')}`,
      headers: { 'X-API-Key': '{key}' },
      body: undefined,
    }),
  },
  {
    name: 'POST /v1/links, names of the form',
    requestOf: (text) => ({
      method: 'POST',
      path: '/v1/links',
      headers: { 'X-API-Key': '{key}', 'Content-Type': 'application/json' },
      body: `{${Array.from({ length: text.length / 10 }, (_, index) => `"a${index}":1`).join(',')}}`,
    }),
  },
];

export const STRETCHED: readonly Stretched[] = [
  ...OPERATIONS.flatMap((documented) => [...ofBodies(documented), ...ofQuery(documented), ...ofPath(documented)]),
  ...ofPages,
  ...ofHeaders,
  ...ofNames,
];

/** Texts that would take a careless reader more than linear time: by normalisation, matching, splitting or nesting. */
export const COSTLY: Readonly<Record<string, (length: number) => string>> = {
  // Normalisation sorts the marks (Unicode Standard Annex 15).
  'disordered marks': (length) => `a${'\u0301\u0323'.repeat(length / 2)}`,
  'a URL of punycode': (length) => `https://example.com/?${'xn--'.repeat(length / 4)}`,
  'a host of punycode': (length) => `https://${'xn--a.'.repeat(length / 6)}com/`,
  'a host of marks': (length) => `https://a${'\u0301\u0323'.repeat(length / 2)}.example/`,
  'a host of marks of another scheme': (length) => `ftp://a${'\u0301\u0323'.repeat(length / 2)}.example/`,
  'a host of dots': (length) => `https://${'.'.repeat(length)}a.../`,
  spaces: (length) => `${' '.repeat(length)}\u2028`,
  escapes: (length) => `https://example.com/${'%C3%A4'.repeat(length / 6)}`,
  brackets: (length) => '['.repeat(length),
  'quotes and commas': (length) => `"${',"'.repeat(length / 2)}`,
  pairs: (length) => `?${'a=b&;'.repeat(length / 5)}`,
};
