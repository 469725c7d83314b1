import { describe, expect, it } from 'vitest';
import {
  BOUNDARY,
  CREATORS,
  MULTIPART,
  bytes,
  expectFailure,
  multipart,
  seedCaller,
  smallestForm,
  storedLinks,
  type Part,
} from '../support/forms.ts';
import { call } from '../support/service.ts';

const MALFORMED =
  'malformed_body: The body is not a complete form. ' +
  'Check the boundary, that every field has a name, and that the body is sent to its end.';

// Stands for the client of each test's own tenant until the body is sent.
const CLIENT = 'client-xxxxxxxx';
const anyClient = smallestForm(CLIENT);
const whole = multipart(anyClient);
const part = (name: string, value: string | Uint8Array, more = ''): Part => ({ name, value, more });
const isFile = (name: string) => `file_field: The field "${name}" is a file. Send it as a plain text field.`;
const isRepeated = (name: string) => `repeated_field: The field "${name}" is given more than once.`;
const isUnknown = (name: string) => `unknown_field: There is no field "${name}" here. Leave it out.`;
const isNotUtf8 = (name: string) => `malformed_body: The field "${name}" is not valid UTF-8. Encode texts as UTF-8.`;

/** A form that would make a link, but for the parts that are added to it. */
const withParts = (...added: Part[]) => multipart([...anyClient, ...added]);
/** The form with one of its parts replaced. */
const withValue = (name: string, value: string | Uint8Array, more = '') =>
  multipart(anyClient.map((each) => (each.name === name ? part(name, value, more) : each)));
const manyParts = (count: number, nameOf: (index: number) => string) =>
  multipart(Array.from({ length: count }, (_, index) => part(nameOf(index), '')));
/** The body with the name of a real client in it, byte for byte the same elsewhere. */
function named<Body extends BodyInit | null>(body: Body, clientId: string): Body | Uint8Array {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return body;
  return Buffer.from(Buffer.from(body).toString('latin1').replaceAll(CLIENT, clientId), 'latin1');
}

it('POST /v1/links alone takes JSON', async () => {
  const caller = await seedCaller();
  const body = JSON.stringify({ url: 'https://example.com/', client_id: caller.clientId });
  const statuses = CREATORS.map(async ({ path, headersOf }) => {
    const headers = new Headers(headersOf(caller));
    headers.set('Content-Type', 'application/json');
    return [path, (await call(path, { method: 'POST', headers, body })).status];
  });
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual({ '/v1/links': 200, '/shortener/encode': 415 });
});

describe.each(CREATORS)('POST $path', ({ path, headersOf }) => {
  const forms = 'multipart/form-data or application/x-www-form-urlencoded';
  const taken = path === '/v1/links' ? `${forms} or application/json` : forms;

  async function send(body: BodyInit | null, contentType: string | null = MULTIPART): Promise<Response> {
    const caller = await seedCaller();
    const headers = new Headers(headersOf(caller));
    if (contentType !== null) headers.set('Content-Type', contentType);
    return call(path, { method: 'POST', headers, body: named(body, caller.clientId) });
  }

  it.each<[what: string, contentType: string | null, body: BodyInit | null]>([
    ['no body and no content type', null, null],
    ['a form without a content type', null, whole],
    ['a plain text', 'text/plain', 'https://example.com/'],
    ['another kind of multipart body', `multipart/mixed; boundary=${BOUNDARY}`, whole],
    ['a content type that only begins like a form', `multipart/form-data-x; boundary=${BOUNDARY}`, whole],
  ])('a create refuses %s by its media type', async (_what, contentType, body) => {
    const before = await storedLinks();
    await expectFailure(await send(body, contentType), 415, `unsupported_media_type: Send the fields as ${taken}.`);
    expect(await storedLinks()).toEqual(before);
  });

  it.each<[what: string, body: BodyInit | null, contentType?: string]>([
    ['no boundary', whole, 'multipart/form-data'],
    ['an empty boundary', whole, 'multipart/form-data; boundary='],
    ['another boundary than the body has', whole, 'multipart/form-data; boundary=another'],
    ['no body', null],
    ['an empty body', new Uint8Array()],
    ['a body of line ends', '\r\n\r\n'],
    ['a body cut off before its last two dashes', whole.subarray(0, -4)],
    ['a body cut off inside a value', whole.subarray(0, whole.length - BOUNDARY.length - 10)],
    ['a body cut off inside a header', whole.subarray(0, BOUNDARY.length + 20)],
    ['a body without its last boundary', whole.subarray(0, -(BOUNDARY.length + 6))],
    ['a part without a name', bytes(`--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`, whole)],
    ['a part with an empty name', withParts(part('', 'x'))],
    ['a part without a disposition', bytes(`--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nx\r\n`, whole)],
  ])('a create refuses a form with %s as malformed', async (_what, body, contentType) => {
    const before = await storedLinks();
    await expectFailure(await send(body, contentType), 400, MALFORMED);
    expect(await storedLinks()).toEqual(before);
  });

  it.each<[what: string, body: Uint8Array, error: string]>([
    ['no field at all', bytes(`--${BOUNDARY}--\r\n`), 'missing_field: url is required.'],
    ['no url', multipart([part('client_id', CLIENT)]), 'missing_field: url is required.'],
    ['an empty url', withValue('url', ''), 'missing_field: url is required.'],
    ['no client_id', multipart([part('url', 'https://example.com/')]), 'missing_field: client_id is required.'],
    ['an empty client_id', withValue('client_id', ''), 'missing_field: client_id is required.'],
    ['a file for the url', withValue('url', 'https://example.com/', '; filename="url.txt"'), isFile('url')],
    ['a file for the client_id', withValue('client_id', CLIENT, '; filename="id"'), isFile('client_id')],
    [
      'a JSON file',
      withParts(part('metadata', '{}', '; filename="m.json"\r\nContent-Type: text/json')),
      isFile('metadata'),
    ],
    ['an empty file', withParts(part('sec_id', '', '; filename="empty"')), isFile('sec_id')],
    ['a file no one asked for', withParts(part('logo', 'GIF89a', '; filename="logo.gif"')), isFile('logo')],
    ['a url given twice', withParts(part('url', 'https://example.com/')), isRepeated('url')],
    ['two client_ids', withParts(part('client_id', 'other')), isRepeated('client_id')],
    ['two sec_ids', withParts(part('sec_id', 'a'), part('sec_id', 'b')), isRepeated('sec_id')],
    [
      'an optional field twice, once empty',
      withParts(part('metadata', ''), part('metadata', '{}')),
      isRepeated('metadata'),
    ],
    ['an unknown field', withParts(part('colour', 'red')), isUnknown('colour')],
    ['an unknown field that is empty', withParts(part('colour', '')), isUnknown('colour')],
    ['a field in another case', withParts(part('URL', 'https://example.com/')), isUnknown('URL')],
    ['a field in brackets', withParts(part('url[]', 'https://example.com/')), isUnknown('url[]')],
    ['the field __proto__', withParts(part('__proto__', '{"sec_id":"x"}')), isUnknown('__proto__')],
    ['the field constructor', withParts(part('constructor', 'x')), isUnknown('constructor')],
    ['the field prototype', withParts(part('prototype', 'x')), isUnknown('prototype')],
    ['the field toString', withParts(part('toString', 'x')), isUnknown('toString')],
    ['a very long unknown name', withParts(part('x'.repeat(5000), 'x')), isUnknown(`${'x'.repeat(64)}…`)],
    ['control characters in a name', withParts(part('a\u001B\u202Eb', 'x')), isUnknown('a  b')],
    ['700 unknown fields', manyParts(700, (index) => `f${index}`), 'missing_field: url is required.'],
    ['700 times the same field', manyParts(700, () => 'url'), isRepeated('url')],
  ])('a create refuses a form with %s and names the field', async (_what, body, error) => {
    const before = await storedLinks();
    await expectFailure(await send(body), 400, error);
    expect(await storedLinks()).toEqual(before);
  });

  it.each<[field: string, what: string, damaged: readonly number[]]>([
    ['url', 'a byte of no meaning', [0xff]],
    ['client_id', 'a sequence cut short', [0xe2, 0x82]],
    ['campaign_name', 'a Latin-1 letter', [0x4d, 0xfc, 0x6e]],
    ['custom_domain', 'an overlong slash', [0xc0, 0xaf]],
    ['metadata', 'half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['sec_id', 'a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('a create refuses a %s with %s and names the field', async (field, _what, damaged) => {
    const value = new Uint8Array(damaged);
    const body = anyClient.some(({ name }) => name === field) ? withValue(field, value) : withParts(part(field, value));
    const before = await storedLinks();
    await expectFailure(await send(body), 400, isNotUtf8(field));
    expect(await storedLinks()).toEqual(before);
  });

  it('a create names the damaged field, not one that holds a replacement character of its own', async () => {
    const body = withParts(part('campaign_name', 'so \uFFFD it is'), part('sec_id', new Uint8Array([0xff])));
    await expectFailure(await send(body), 400, isNotUtf8('sec_id'));
  });

  it('a create refuses a name that is not UTF-8', async () => {
    const nameless = bytes(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="`, new Uint8Array([0xff]));
    const body = bytes(nameless, '"\r\n\r\nx\r\n', whole);
    await expectFailure(await send(body), 400, 'malformed_body: The body is not valid UTF-8. Encode texts as UTF-8.');
  });

  it.each<[what: string, toBody: (clientId: string) => Uint8Array, contentType?: string]>([
    ['a quoted boundary', (id) => multipart(smallestForm(id)), `multipart/form-data; boundary="${BOUNDARY}"`],
    ['a content type in capitals', (id) => multipart(smallestForm(id)), `MULTIPART/FORM-DATA; Boundary=${BOUNDARY}`],
    [
      'a content type on a text',
      (id) => multipart([...smallestForm(id), part('metadata', '{}', '\r\nContent-Type: application/json')]),
    ],
    ['text before and after the form', (id) => bytes('before\r\n', multipart(smallestForm(id)), 'after')],
    [
      'a replacement character that is meant',
      (id) => multipart([...smallestForm(id), part('campaign_name', '\uFFFD')]),
    ],
    [
      'every optional field empty',
      (id) =>
        multipart([
          ...smallestForm(id),
          ...['campaign_name', 'custom_domain', 'metadata', 'sec_id'].map((name) => part(name, '')),
        ]),
    ],
  ])('a create takes a form with %s', async (_what, toBody, contentType = MULTIPART) => {
    const caller = await seedCaller();
    const headers = { ...headersOf(caller), 'Content-Type': contentType };
    const response = await call(path, { method: 'POST', headers, body: toBody(caller.clientId) });
    expect(response.status).toBe(200);
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ url: 'https://example.com/', client_id: caller.clientId });
  });

  it('a create takes a urlencoded form, as curl -d and HTML forms send it', async () => {
    const caller = await seedCaller();
    const fields = {
      url: 'https://example.com/?a=1&b=2',
      client_id: caller.clientId,
      campaign_name: 'Frühling + 100 %',
    };
    const headers = { ...headersOf(caller), 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const body = `${new URLSearchParams(fields).toString()}&metadata=&sec_id=print`;
    const response = await call(path, { method: 'POST', headers, body });
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ ...fields, metadata: null, sec_id: 'print' });
    expect(response.status).toBe(200);
  });

  it.each(['utf-8', 'ISO-8859-1', '"windows-1252"'])(
    'a form is read byte for byte with any charset: %s',
    async (name) => {
      const caller = await seedCaller();
      const headers = { ...headersOf(caller), 'Content-Type': `application/x-www-form-urlencoded; charset=${name}` };
      const body = `url=https://example.com/100%-off?a=%zz%4&client_id=${caller.clientId}&campaign_name=ü+5%+%%41%+%e2%82%ac`;
      const response = await call(path, { method: 'POST', headers, body });
      const { result } = await response.json<{ result: string }>();
      const url = 'https://example.com/100%-off?a=%zz%4';
      expect(JSON.parse(result)).toMatchObject({ url, campaign_name: 'ü 5% %A% €' });
    },
  );

  it.each<[what: string, body: string | Uint8Array, error: string]>([
    ['nothing', '', 'missing_field: url is required.'],
    ['a field twice', `url=https://example.com/&client_id=${CLIENT}&url=x`, isRepeated('url')],
    ['an unknown field', `url=https://example.com/&client_id=${CLIENT}&colour=red`, isUnknown('colour')],
    [
      'a Latin-1 letter, escaped',
      `url=https://example.com/&client_id=${CLIENT}&campaign_name=Fr%FChling&sec_id=%C3%BC`,
      isNotUtf8('campaign_name'),
    ],
    [
      'a Latin-1 letter',
      Buffer.from(`url=https://example.com/&client_id=${CLIENT}&campaign_name=Fr\xfchling&sec_id=x`, 'latin1'),
      isNotUtf8('campaign_name'),
    ],
    ['a byte order mark', `\ufeffurl=https://example.com/&client_id=${CLIENT}`, 'missing_field: url is required.'],
  ])('a create refuses a urlencoded form with %s', async (_what, body, error) => {
    const before = await storedLinks();
    await expectFailure(await send(body, 'application/x-www-form-urlencoded'), 400, error);
    expect(await storedLinks()).toEqual(before);
  });
});
