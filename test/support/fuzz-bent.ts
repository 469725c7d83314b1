import * as fc from 'fast-check';
import { FIELD_NAMES } from '../../src/links/fields/table.ts';
import { arbitraryRules } from './arbitrary-rules.ts';
import { DOCUMENT, OPERATIONS, type Documented } from './documented.ts';
import { MULTIPART, toMultipart, toUrlencoded } from './fuzz-forms.ts';
import { FUZZED_PAGES } from './fuzz-every-page.ts';
import { bend, type Page } from './fuzz-pages.ts';
import { text } from './fuzz-texts.ts';
import { RESOURCES } from './resources.ts';

/** Valid requests with at most one fault, which pass the first checks. */

export interface Fuzzed {
  readonly method: string;
  /** The path with its query; `{…}` stands for a value that the test has created. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

type Pairs = readonly (readonly [name: string, value: unknown])[];

/** The values of path parameters, by name, or by path if the name is not specific enough. */
const IN_PATH: readonly (readonly [path: RegExp, parameter: string, own: string])[] = [
  [/^\/v1\/keys/, 'id', '{key_id}'],
  [/^\/v1\/webhooks/, 'id', '{webhook}'],
  [/./, 'event_id', '{event}'],
  [/^\/v1\/domains/, 'id', '{domain}'],
  [/^\/v1\/invites/, 'id', '{invite_id}'],
  ...RESOURCES.map(({ name }) => [new RegExp(`^/v1/${name}/`), 'id', `{${name}}`] as const),
  [/./, 'external_id', '{external}'],
  [/^\/(v1\/links|info)\//, 'id', '{link}'],
  [/./, 'slug', '{link}'],
  [/./, 'client_id', '{client}'],
  [/./, 'sec_id', '{sec}'],
  [/./, 'local_id', '{user}'],
  [/./, 'name', 'Spring'],
  [/./, 'n', '1'],
];

const segment = text.map((value) => (/^\{\w+\}$/.test(value) ? value : encodeURIComponent(value.toWellFormed())));

function pathOf(template: string): fc.Arbitrary<string> {
  const good = template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const found = IN_PATH.find(([path, name]) => path.test(template) && name === parameter);
    if (!found) throw new Error(`no value is known for ${parameter} of ${template}`);
    return found[2];
  });
  const bent = segment.map((value) => template.replace(/\{(\w+)\}/, () => value));
  return fc.oneof({ weight: 9, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: bent });
}

function queryOf({ operation }: Documented): fc.Arbitrary<string> {
  const known = (operation.parameters ?? []).filter((each) => each.in === 'query');
  if (known.length === 0) return fc.constant('');
  const values = known.map(({ name, example, schema }) => {
    const words = Array.isArray(schema.enum) ? schema.enum : [];
    const good = [example, ...words].filter((word) => word !== undefined).map(String);
    const value = good.length === 0 ? text : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, text);
    return value.map((word) => `${name}=${encodeURIComponent(word.toWellFormed())}`);
  });
  return fc
    .array(fc.oneof(...values), { maxLength: 2 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

function propertiesOf(schema: { readonly $ref?: string; readonly properties?: object }): readonly string[] {
  const { properties = {} } = DOCUMENT.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return Object.keys(properties);
}

const anyValue = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: arbitraryRules },
);

/** An example in which one field is absent or has another value. */
function bendObject(example: object, names: readonly string[]): fc.Arbitrary<Pairs> {
  const own = { ...example, ...('client_id' in example && { client_id: '{client}' }) };
  const pairs = Object.entries(own);
  const field = fc.constantFrom(...(names.length > 0 ? names : ['x']));
  return fc.oneof(
    fc.constant(pairs),
    fc.tuple(field, anyValue).map((pair) => [...pairs.filter(([name]) => name !== pair[0]), pair]),
    field.map((left) => pairs.filter(([name]) => name !== left)),
  );
}

type Body = readonly [type: string | undefined, body: string | undefined];

function bodyOf({ operation }: Documented): fc.Arbitrary<Body> {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { example, schema }]) => {
    if (typeof example === 'string') return fileOf(type, example);
    const fields = { ...Object(example) };
    if (Array.isArray(fields.links)) {
      const [first] = fields.links;
      const item = bendObject(first, [...Object.keys(first), ...FIELD_NAMES]).map(toObject);
      return fc.array(item, { maxLength: 3 }).map((links): Body => [type, JSON.stringify({ ...fields, links })]);
    }
    return bendObject(fields, propertiesOf(schema)).map((pairs): Body => encode(type, pairs));
  });
  return bodies.length === 0 ? fc.constant([undefined, undefined]) : fc.oneof(...bodies);
}

/** A file in which one row is different. */
function fileOf(type: string, example: string): fc.Arbitrary<Body> {
  const lines = example.trimEnd().split(/\r?\n/);
  const cell =
    type === 'text/csv'
      ? text.map((value) => `"${value.replaceAll('"', '""')}"`)
      : anyValue.map((value) => JSON.stringify(value));
  const row =
    type === 'text/csv'
      ? fc.array(cell, { maxLength: 3 }).map((cells) => cells.join(','))
      : fc.tuple(fc.constantFrom(...FIELD_NAMES), cell).map(([name, value]) => `{"${name}":${value}}`);
  return row.map((added) => [type, [...lines, added].join('\n')]);
}

const toObject = (pairs: Pairs): Record<string, unknown> => Object.fromEntries(pairs);

function encode(type: string, pairs: Pairs): Body {
  if (type === 'application/json') return [type, JSON.stringify(toObject(pairs))];
  const texts = pairs.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  if (type === 'multipart/form-data') return [MULTIPART, toMultipart(texts)];
  return [type, toUrlencoded(texts)];
}

function headersOf({ operation }: Documented): fc.Arbitrary<Record<string, string>> {
  const shown = operation.security.flatMap((one) => {
    if ('bearer' in one) return [{ Authorization: 'Bearer {access}' }];
    if ('apiKey' in one) return [{ 'X-API-Key': '{key}' }, { 'X-API-Key': '{api}' }];
    return 'basic' in one ? [{ Authorization: '{basic}' }] : [{}];
  });
  return fc.constantFrom<Record<string, string>>(...shown);
}

const bentCall: fc.Arbitrary<Fuzzed> = fc
  .constantFrom(...OPERATIONS)
  .chain((documented) =>
    fc.tuple(
      fc.constant(documented.method),
      pathOf(documented.path),
      queryOf(documented),
      headersOf(documented),
      bodyOf(documented),
    ),
  )
  .map(([method, path, query, headers, [type, body]]) => ({
    method,
    path: path + query,
    headers: { ...headers, ...(type && { 'Content-Type': type }) },
    body,
  }));

const COOKIE = { Cookie: '__Host-terse={session}', Origin: 'https://terse.test' };

/** The request that the form of a page would send. */
export function toRequest(
  { method, path, isMultipart = false }: Page,
  pairs: readonly (readonly [string, string])[],
): Fuzzed {
  const query = toUrlencoded(pairs);
  if (method === 'GET') return { method, path: query ? `${path}?${query}` : path, headers: COOKIE, body: undefined };
  const [type, body] = encode(isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded', pairs);
  return { method, path, headers: { ...COOKIE, ...(type && { 'Content-Type': type }) }, body };
}

const bentPage: fc.Arbitrary<Fuzzed> = fc
  .constantFrom(...FUZZED_PAGES)
  .chain((page) => fc.tuple(fc.constant(page), bend(page.fields, text)))
  .map(([page, pairs]) => toRequest(page, pairs));

/** A request with at most one fault, to the API or to a page. */
export const bentRequest: fc.Arbitrary<Fuzzed> = fc.oneof(
  { weight: 3, arbitrary: bentCall },
  { weight: 2, arbitrary: bentPage },
);
