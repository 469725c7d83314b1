import * as fc from 'fast-check';
import { FIELD_NAMES } from '../../src/links/fields/table.ts';
import { OPERATIONS } from './documented.ts';
import { bentRequest, type Fuzzed } from './fuzz-bent.ts';
import { MULTIPART, toMultipart, toUrlencoded } from './fuzz-forms.ts';
import { headerText, text } from './fuzz-texts.ts';

/** Hostile requests: every endpoint, with anything that a caller may put into each part of a request. */

const parameters = OPERATIONS.flatMap(({ operation }) => operation.parameters ?? []);
const fieldNames = fc.oneof(
  fc.constantFrom('url', 'client_id', 'campaign_name', 'custom_domain', 'metadata', 'sec_id', 'slug', 'expires_at'),
  fc.constantFrom('name', 'scopes', 'role', 'host', 'root_url', 'links', 'aliases', 'disabled', 'token', 'password'),
  fc.constantFrom<string>(...FIELD_NAMES),
  fc.constantFrom('refresh_token', 'keys', 'not_found_url', 'colour', '__proto__', 'toString', ''),
);

const segment = text.map((value) => (/^\{\w+\}$/.test(value) ? value : encodeURIComponent(value.toWellFormed())));
const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT', 'OPTIONS');
type Target = readonly [method: string, path: string];

const anyPath = fc.oneof(
  fc.constantFrom('/platform', '/platform/sign-in', '/platform/account', '/', '/docs', '/{link}', '/{link}/'),
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  text.map((value) => `/${value.toWellFormed().replace(/[?#]/g, '')}`),
);
// Mostly existing paths, with their methods.
const target: fc.Arbitrary<Target> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(...OPERATIONS)
      .chain(({ method, path }) => fc.tuple(fc.constant(method), fillSegments(path))),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...OPERATIONS).chain(({ path }) => fc.tuple(methods, fillSegments(path))),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('GET', 'GET', 'HEAD', 'POST'), anyPath) },
);

function fillSegments(template: string): fc.Arbitrary<string> {
  const holes = template.match(/\{\w+\}/g) ?? [];
  const fillers = fc.array(
    fc.oneof(
      { weight: 1, arbitrary: segment },
      { weight: 3, arbitrary: fc.constantFrom('{link}', '{client}', '{sec}') },
    ),
    {
      minLength: holes.length,
      maxLength: holes.length,
    },
  );
  return fillers.map((values) => template.replace(/\{\w+\}/g, () => values.shift() ?? ''));
}

const queryNames = fc.oneof(
  fc.constantFrom(...parameters.filter((each) => each.in === 'query').map(({ name }) => name)),
  fc.constantFrom('deep', '__proto__', 'x'),
);
const query = fc.array(fc.tuple(queryNames, text), { maxLength: 3 }).map((pairs) => {
  const words = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return words.length > 0 ? `?${words.join('&')}` : '';
});

const credential = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom({ Authorization: 'Bearer {access}' }, { 'X-API-Key': '{key}' }) },
  { weight: 2, arbitrary: fc.constantFrom({}, { 'X-API-Key': '{api}' }, { Authorization: 'Bearer {api}' }) },
  { weight: 2, arbitrary: headerText.map((value) => ({ Authorization: `Bearer ${value}` })) },
  { weight: 2, arbitrary: headerText.map((value) => ({ 'X-API-Key': value })) },
  { weight: 1, arbitrary: headerText.map((value) => ({ Authorization: value })) },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 60 }).map((value) => ({ Authorization: `Basic ${value}` })) },
);
const otherHeaders = fc.dictionary(
  fc.constantFrom(
    'Accept',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'X-Request-Id',
    'Origin',
    'Cookie',
    'Range',
  ),
  fc.oneof(headerText, fc.constantFrom('*', 'text/html', 'application/json', '"1"', 'https://terse.test')),
  { maxKeys: 3, noNullPrototype: true },
);

const fields = fc.array(fc.tuple(fieldNames, text), { maxLength: 6 });
const toObject = (pairs: readonly (readonly [string, unknown])[]) => Object.fromEntries(pairs);
const formFields = fields.map((pairs): [string, string][] => [
  ['url', 'https://example.com/'],
  ['client_id', '{client}'],
  ...pairs,
]);

const body = fc.oneof(
  fc.constant<[string | undefined, Uint8Array | string | undefined]>([undefined, undefined]),
  fc.oneof(fields, formFields).map((pairs) => [MULTIPART, toMultipart(pairs)] as const),
  fc.oneof(fields, formFields).map((pairs) => ['application/json', JSON.stringify(toObject(pairs))] as const),
  fc
    .array(fc.tuple(fieldNames, fc.jsonValue()))
    .map((pairs) => ['application/json', JSON.stringify(toObject(pairs))] as const),
  fc.jsonValue().map((value) => ['application/json', JSON.stringify(value)] as const),
  fields.map((pairs) => ['application/x-www-form-urlencoded', toUrlencoded(pairs)] as const),
  fc
    .array(fc.array(text, { maxLength: 4 }))
    .map((rows) => ['text/csv', `url,slug\n${rows.map(String).join('\n')}`] as const),
  fc
    .array(fc.jsonValue())
    .map((rows) => ['application/x-ndjson', rows.map((row) => JSON.stringify(row)).join('\n')] as const),
  fc.tuple(headerText, fc.uint8Array({ maxLength: 300 })),
);

const wildRequest: fc.Arbitrary<Fuzzed> = fc
  .tuple(target, query, credential, otherHeaders, body)
  .map(([[method, path], query, credential, others, [type, content]]) => ({
    method,
    path: path + query,
    headers: { ...others, ...credential, ...(type && { 'Content-Type': type }) },
    body: method === 'GET' || method === 'HEAD' ? undefined : content,
  }));

/** Any request: half of them unlike a valid one, and half with one fault, since only those pass the first checks. */
export const anyRequest: fc.Arbitrary<Fuzzed> = fc.oneof(wildRequest, bentRequest);

/** Fills a request with the caller's own values, in place of the words for them. */
export function fill({ method, path, headers, body }: Fuzzed, own: Readonly<Record<string, string>>): Fuzzed {
  const put = (value: string) => value.replace(/(?:\{|%7B)(\w+)(?:\}|%7D)/g, (word, name: string) => own[name] ?? word);
  return {
    method,
    path: put(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)])),
    body: typeof body === 'string' ? put(body) : body,
  };
}
