import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember, createKey } from '../../src/accounts/operator.ts';
import { EXAMPLE, bearerOf, expectFailure, expectRefused, seedCaller } from '../support/forms.ts';
import { db, seedDomain, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

const NOT_A_URL = 'invalid_url: url must be an absolute http or https URL, such as https://example.com/page.';
const WITH_LINE_END = 'invalid_url: url must not have tabs or line ends inside: remove them.';
const otherScheme = (scheme: string) => `invalid_url: url cannot have the scheme ${scheme}: use https.`;
const unnamed = (scheme: string) => otherScheme(scheme).replace('https.', 'https, or one of geo, mailto, sms, tel.');
const WITH_USER = 'invalid_url: url must not contain a user name or a password.';
const NOT_A_HOST = 'invalid_custom_domain: custom_domain must be a host name, such as go.example.com.';
const NOT_JSON = 'invalid_metadata: metadata must be a JSON text, such as {"team":"web"}.';
const WITH_CONTROLS = 'invalid_campaign_name: campaign_name must not contain control characters.';
const notAnId = (field: string) =>
  `invalid_${field}: ${field} must be 1 to 64 of A-Z a-z 0-9 . _ ~ -, and not "." or "..".`;
const tooLong = (field: string, bound: string) => `too_long: ${field} must be at most ${bound} long.`;
const newName = () => crypto.randomUUID().slice(0, 8);

describe('url', () => {
  const emoji = (count: number) => '🔗'.repeat(count);

  it.each<[what: string, url: string]>([
    ['8,192 characters', EXAMPLE + 'a'.repeat(8172)],
    ['8,192 characters once it is encoded', EXAMPLE + emoji(681)],
    ['a host of 8,183 characters', `https://${'a.'.repeat(4087)}example/`],
    ['white space around it', `\n ${EXAMPLE}\t `],
    ['an empty user name and password', 'https://:@example.com/'],
  ])('url may have %s', async (_what, url) => {
    const record = await seedLink(await seedCaller(), { url });
    expect(record.url).toBe(new URL(url).href);
  });

  it.each<[what: string, url: string, error: string]>([
    ['8,193 characters', EXAMPLE + 'a'.repeat(8173), tooLong('url', '8192 characters')],
    [
      '8,193 characters before white space is trimmed',
      `${EXAMPLE}${' '.repeat(8173)}`,
      tooLong('url', '8192 characters'),
    ],
    [
      '8,193 characters with the scheme that it lacks',
      `${EXAMPLE.slice(8)}${'a'.repeat(8173)}`,
      tooLong('url', '8192 characters').replace('.', ' once it is percent-encoded.'),
    ],
    [
      '8,193 characters once it is encoded',
      `${EXAMPLE}a${emoji(681)}`,
      tooLong('url', '8192 characters').replace('.', ' once it is percent-encoded.'),
    ],
    ['one word', 'example', NOT_A_URL],
    ['a path alone', '/page', NOT_A_URL],
    ['two slashes before the host', '//example.com/', NOT_A_URL],
    ['an address of e-mail', 'a@example.com', NOT_A_URL],
    ['an IPv4 address that is none without a scheme', '256.1.1.1:80/', NOT_A_URL],
    ['a host beyond ASCII that is very long', `https://${'\u0301\u0316'.repeat(1025)}.example/`, NOT_A_URL],
    ['a host with many escapes', `https://${'%CC%81%CC%96'.repeat(200)}.example/`, NOT_A_URL],
    ['white space alone', ' \t ', NOT_A_URL],
    ['no host', 'https://', NOT_A_URL],
    ['a space in the host', 'https://exa mple.com/', NOT_A_URL],
    ['an escaped slash in the host', 'https://example%2Fcom/', NOT_A_URL],
    ['a port that is none', 'https://example.com:65536/', NOT_A_URL],
    ['an IPv4 address that is none', 'http://256.256.256.256/', NOT_A_URL],
    ['an IPv6 address that is none', 'http://[::1/', NOT_A_URL],
    ['the scheme ftp', 'ftp://example.com/', unnamed('ftp')],
    ['the scheme javascript', 'javascript:alert(1)//https://example.com/', otherScheme('javascript')],
    ['the scheme javascript behind white space', ' JavaScript:alert(1)', otherScheme('javascript')],
    ['the scheme javascript on two lines', ' java\nscript:alert(1)', WITH_LINE_END],
    ['the scheme data', 'data:text/html,hello', otherScheme('data')],
    ['the scheme file', 'file:///etc/passwd', otherScheme('file')],
    ['the scheme blob', 'blob:https://example.com/1', otherScheme('blob')],
    ['a scheme that begins like http', 'httpx://example.com/', unnamed('httpx')],
    ['a word before a colon', 'example:80', unnamed('example')],
    ['a host before a port that is no number', 'example.com:http/', unnamed('example.com')],
    ['a user name and a host without a scheme', 'user:secret@example.com/', unnamed('user')],
    ['a scheme of very many letters', `${'x'.repeat(2000)}:1`, unnamed('x'.repeat(100))],
    ['a tab inside', 'https://example.com/a\tb', WITH_LINE_END],
    ['a line end inside', 'https://example.com/a\nb', WITH_LINE_END],
    ['a carriage return inside', 'https://exam\rple.com/', WITH_LINE_END],
    ['a user name', 'https://user@example.com/', WITH_USER],
    ['a password', 'https://:secret@example.com/', WITH_USER],
    ['a user name that looks like a host', 'https://example.com:443@evil.example/', WITH_USER],
  ])('url may not have %s', async (_what, url, error) => {
    await expectRefused({ url }, error);
  });
});

describe('client_id', () => {
  it('client_id may have 64 characters of every allowed kind', async () => {
    const caller = await seedCaller();
    const clientId = `${newName()}.AZaz09._~-`.padEnd(64, 'x');
    await addMember(db, caller.userName, clientId);
    const key = await createKey(db, clientId, 'long');
    const record = await seedLink({ ...caller, clientId, apiKey: key?.text ?? '' });
    expect(record.client_id).toBe(clientId);
  });
});

describe('sec_id', () => {
  it.each(['x', '...', 'x'.repeat(64), 'AZaz09._~-'])('sec_id may be %j', async (sec_id) => {
    const record = await seedLink(await seedCaller(), { sec_id });
    expect(record.sec_id).toBe(sec_id);
  });

  it('sec_id need not be unique', async () => {
    const caller = await seedCaller();
    const [first, second] = [await seedLink(caller, { sec_id: 'same' }), await seedLink(caller, { sec_id: 'same' })];
    expect(first.id).not.toBe(second.id);
    expect(second.sec_id).toBe('same');
  });
});

describe.each(['client_id', 'sec_id'])('%s', (field) => {
  it.each(['x'.repeat(65), '.', '..', 'a/b', 'a b', ' a', 'a\n', 'a%2Fb', 'a+b', 'é', 'a\u0000'])(
    'client_id or sec_id may not be %j',
    async (value) => {
      await expectRefused({ [field]: value }, notAnId(field));
    },
  );
});

describe('campaign_name', () => {
  it.each(['n'.repeat(128), '🌱'.repeat(128), ' Spring "26" <b>&amp; ', 'Früh\u00A0ling \u202Eabc', '\uFEFFx'])(
    'campaign_name is kept as it is: %j',
    async (campaign_name) => {
      expect(await seedLink(await seedCaller(), { campaign_name })).toMatchObject({ campaign_name });
    },
  );

  it.each<[what: string, campaign_name: string, error: string]>([
    ['129 characters', 'n'.repeat(129), tooLong('campaign_name', '128 characters')],
    ['129 characters outside the basic plane', '🌱'.repeat(129), tooLong('campaign_name', '128 characters')],
    ['a line end', 'a\nb', WITH_CONTROLS],
    ['a line end at its end', 'a\r\n', WITH_CONTROLS],
    ['a tab', 'a\tb', WITH_CONTROLS],
    ['a NUL', '\u0000', WITH_CONTROLS],
    ['a DEL', 'a\u007F', WITH_CONTROLS],
    ['a C1 control', 'a\u0085b', WITH_CONTROLS],
  ])('campaign_name may not have %s', async (_what, campaign_name, error) => {
    await expectRefused({ campaign_name }, error);
  });
});

describe('metadata', () => {
  it.each<[what: string, metadata: string]>([
    ['4,096 bytes', `"${'m'.repeat(4094)}"`],
    ['4,096 bytes in two-byte characters', `"${'é'.repeat(2047)}"`],
    ['white space of all kinds', ' \t{\r\n  "a" :\n1\r}\r\n'],
    ['keys twice and in no order', '{"b":1,"a":2,"b":3}'],
    ['numbers no program can hold', '[1e999,0.10,-0,12345678901234567890.0]'],
    ['escapes', String.raw`{"\u0061":"\/\ud800\u0000\u00e9"}`],
    ['characters of all planes', '{"ключ":"值 \u2028 🌱 e\u0301 é"}'],
    ['the key __proto__', '{"__proto__":{"admin":true}}'],
    ['2,048 lists in one another', '['.repeat(2048) + ']'.repeat(2048)],
    ['a bare null', 'null'],
    ['a bare number', '0'],
  ])('metadata with %s is kept byte for byte, on create and on info', async (_what, metadata) => {
    const caller = await seedCaller();
    const made = await seedLink(caller, { metadata });
    expect(made).toMatchObject({ metadata });
    const info = await call(`/info/${made.id}/${made.client_id}/${made.sec_id}`, { headers: bearerOf(caller) });
    const { result } = await info.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ metadata });
  });

  it.each<[what: string, metadata: string, error: string]>([
    ['4,097 bytes', `"${'m'.repeat(4095)}"`, tooLong('metadata', '4096 bytes')],
    ['4,097 bytes in fewer characters', `"${'é'.repeat(2047)}m"`, tooLong('metadata', '4096 bytes')],
    ['an open brace', '{"a":1', NOT_JSON],
    ['single quotes', `{'a':1}`, NOT_JSON],
    ['a comma too many', '[1,]', NOT_JSON],
    ['more than one value', '{}{}', NOT_JSON],
    ['a word', 'undefined', NOT_JSON],
    ['NaN', 'NaN', NOT_JSON],
    ['a byte order mark', '\uFEFF{}', NOT_JSON],
    ['a raw control character', '"a\u0001"', NOT_JSON],
    ['white space alone', ' ', NOT_JSON],
  ])('metadata may not have %s', async (_what, metadata, error) => {
    await expectRefused({ metadata }, error);
  });
});

describe('custom_domain', () => {
  it.each<[what: string, spell: (host: string) => string]>([
    ['as it is stored', (host) => host],
    ['in upper case', (host) => host.toUpperCase()],
    ['with a trailing dot', (host) => `${host}.`],
    ['with full-width dots', (host) => host.replaceAll('.', '。')],
    ['in Unicode', (host) => host.replace('xn--bcher-kva', 'Bücher')],
  ])('custom_domain is found when written %s', async (_what, spell) => {
    const caller = await seedCaller();
    const host = await seedDomain(caller, `${newName()}.xn--bcher-kva.example`);
    const record = await seedLink(caller, { custom_domain: spell(host) });
    expect(record).toMatchObject({ custom_domain: host, short_url: `https://${host}/${record.id}` });
  });

  const labels = (last: number) => `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(last);
  it.each([
    'example',
    'localhost',
    'go.example.com:443',
    'https://go.example.com',
    'go.example.com/',
    'go.example.com?',
    'go.example.com#x',
    'user@go.example.com',
    'go.example.com\\x',
    'go example.com',
    ' go.example.com',
    'go%2Eexample.com',
    'go..example.com',
    '.example.com',
    '.',
    '-go.example.com',
    'go-.example.com',
    '*.example.com',
    'go!.example.com',
    `${'a'.repeat(64)}.example`,
    labels(62),
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '1.2.3.4.',
    '[::1]',
    '::1',
    'go.example.1',
  ])('custom_domain may not be %j', async (custom_domain) => {
    await expectRefused({ custom_domain }, NOT_A_HOST);
  });

  it.each(['pending', 'lost'])('custom_domain may not be a %s domain of the client', async (status) => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    await env.DB.prepare('UPDATE domains SET status = ? WHERE host = ?').bind(status, host).run();
    const form = { url: EXAMPLE, client_id: caller.clientId, custom_domain: host };
    const response = await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form });
    await expectFailure(
      response,
      400,
      `unknown_domain: custom_domain ${host} is not one of your active domains. Verify it first, or leave it out.`,
    );
  });

  it.each(['go.unknown.example', labels(61)])('custom_domain may not be the unknown host %j', async (custom_domain) => {
    const error = `unknown_domain: custom_domain ${custom_domain} is not one of your active domains. Verify it first, or leave it out.`;
    await expectRefused({ custom_domain }, error);
  });
});

it('counts every optional field that is empty as absent', async () => {
  const caller = await seedCaller();
  const empty = { campaign_name: '', custom_domain: '', metadata: '', sec_id: '' };
  const record = await seedLink(caller, empty);
  expect(record).toMatchObject({ campaign_name: null, custom_domain: null, metadata: null });
  expect(record.sec_id).toMatch(/^[A-Za-z0-9]{8}$/);
});
