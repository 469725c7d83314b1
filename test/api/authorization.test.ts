import { describe, expect, it } from 'vitest';
import { addUser } from '../../src/accounts/operator.ts';
import { newAddress } from '../support/address.ts';
import { leastCostHash } from '../support/least-cost.ts';
import { basicOf, db, rowsOf, seedLink, seedTenant, signIn, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { CREATION_REFUSAL, TOKEN_ENDPOINTS, familiesOf, refusalOf, type TokenEndpoint } from '../support/tokens.ts';

const BEARER_ENDPOINTS = TOKEN_ENDPOINTS.filter(({ takes }) => takes === 'access_token');

/** A tenant with a link to ask for, and an access token of its user. */
async function seedBearer(): Promise<{ tenant: Tenant; token: string }> {
  const tenant = await seedTenant();
  await seedLink(tenant);
  return { tenant, token: (await signIn(tenant)).access_token };
}

describe('a bearer token', () => {
  it.each(['bearer ', 'BEARER ', 'bEaReR ', 'Bearer   '])(
    'a bearer token is taken after the scheme %j',
    async (scheme) => {
      const { tenant, token } = await seedBearer();
      for (const { name, send } of BEARER_ENDPOINTS) {
        const { status } = await send(tenant, { Authorization: scheme + token });
        expect([name, status]).toEqual([name, 200]);
      }
    },
  );

  it.each<[what: string, second: (token: string, tenant: Tenant) => string]>([
    ['the same header again', (token) => `Bearer ${token}`],
    ['a second token', () => 'Bearer x'],
    ['good Basic credentials', (_, tenant) => tenant.basic],
  ])(
    'a bearer token is refused beside %s: which of two headers counts is not for us to guess',
    async (_what, second) => {
      const { tenant, token } = await seedBearer();
      const links = await rowsOf('links');
      for (const { send, refusal } of BEARER_ENDPOINTS) {
        const headers = new Headers({ Authorization: `Bearer ${token}` });
        headers.append('Authorization', second(token, tenant));
        expect(await refusalOf(await send(tenant, headers))).toEqual(refusal);
      }
      expect(await rowsOf('links')).toEqual(links);
    },
  );

  it.each<[what: string, value: (token: string) => string | null]>([
    ['no header', () => null],
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['a token without a scheme', (token) => token],
    ['another scheme', (token) => `Token ${token}`],
    ['scheme and token in one', (token) => `Bearer${token}`],
    ['a colon after the scheme', (token) => `Bearer: ${token}`],
    ['Basic credentials', () => 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ])('a bearer token counts as missing where there is %s', async (_what, value) => {
    const { tenant, token } = await seedBearer();
    const authorization = value(token);
    const sentence = 'Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".';
    const bodyOf = ({ name }: TokenEndpoint) =>
      name.endsWith('token_info')
        ? { access_denied: sentence, http_ressponse: 401 }
        : { result: 'Failed', error: `missing_credential: ${sentence}` };
    for (const endpoint of BEARER_ENDPOINTS) {
      const response = await endpoint.send(tenant, authorization === null ? {} : { Authorization: authorization });
      expect(await refusalOf(response)).toEqual([401, 'Bearer realm="terse"', bodyOf(endpoint)]);
    }
  });
});

describe('Basic credentials', () => {
  const base64 = (...bytes: (string | number)[]) =>
    Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))).toString(
      'base64',
    );

  /** Asks for a token with headers, from an address of its own. */
  function ask(...authorizations: string[]): Promise<Response> {
    const headers = new Headers({ 'CF-Connecting-IP': newAddress() });
    for (const value of authorizations) headers.append('Authorization', value);
    return call('/tokens/create_token', { headers });
  }

  it.each<[what: string, name: string, password: string, authorization: string]>([
    ['the example of RFC 7617', 'Aladdin', 'open sesame', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['its example in UTF-8', 'test', '123£', 'Basic dGVzdDoxMjPCow=='],
    ['the scheme in lower case', 'lower', 'case', `basic ${base64('lower:case')}`],
    ['more than one space', 'spaces', 'between', `Basic   ${base64('spaces:between')}`],
    ['colons in the password', 'colons', ':a::b:', basicOf('colons', ':a::b:')],
    ['a password of spaces', 'spacious', '  ', basicOf('spacious', '  ')],
    ['a name of many scripts', 'Ünal 山田 😀', 'пароль🔑', basicOf('Ünal 山田 😀', 'пароль🔑')],
    ['a name and a password decomposed', 'Zoë', 'naïve', basicOf('Zoe\u0308', 'nai\u0308ve')],
    ['a password composed that was decomposed', 'Amélie', 'e\u0301te\u0301', basicOf('Amélie', 'été')],
    ['a password of 1024 characters', 'long', 'é'.repeat(1024), basicOf('long', 'é'.repeat(1024))],
  ])('Basic credentials are taken with %s', async (_what, name, password, authorization) => {
    const user = await addUser(db, { name, password, clientId: 'acme' }, leastCostHash);
    const response = await ask(authorization);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ result: 'Token Created', local_id: user?.userId });
  });

  it.each<[what: string, authorization: (tenant: Tenant) => string]>([
    ['no colon', ({ userName }) => `Basic ${base64(userName)}`],
    ['the scheme alone', () => 'Basic'],
    ['a colon alone', () => basicOf('', '')],
    ['no name', ({ password }) => basicOf('', password)],
    ['no password', ({ userName }) => basicOf(userName, '')],
    ['a space after the name', ({ userName, password }) => basicOf(`${userName} `, password)],
    ['a space after the password', ({ userName, password }) => basicOf(userName, `${password} `)],
    ['the password not encoded', ({ userName, password }) => `Basic ${encodeURIComponent(`${userName}:${password}`)}`],
    ['what is no base64', () => 'Basic !!!!'],
    ['base64 that is cut off', () => 'Basic dXNlc'],
    ['base64 with padding in its middle', () => 'Basic dX==Nlcg=='],
    ['the alphabet of base64url', () => `Basic ${base64('>>>???:x').replaceAll('+', '-').replaceAll('/', '_')}`],
    ['NUL after the name', ({ userName, password }) => basicOf(`${userName}\0`, password)],
    ['NUL after the password', ({ userName, password }) => basicOf(userName, `${password}\0`)],
    ['NUL and more after the password', ({ userName, password }) => basicOf(userName, `${password}\0x`)],
    ['NUL bytes only', () => `Basic ${base64(0, ':', 0)}`],
    ['a line break', ({ userName, password }) => basicOf(userName, `${password}\n`)],
    ['a byte that is no UTF-8', ({ userName }) => `Basic ${base64(userName, ':', 0xff)}`],
    ['Latin-1', () => `Basic ${base64('test:123', 0xa3)}`],
    ['an overlong colon', ({ userName }) => `Basic ${base64(userName, 0xc0, 0xba, 'x')}`],
    ['SQL in the name', () => basicOf("' OR 1=1 --", 'x')],
    ['8 KB of name', () => basicOf('x'.repeat(8192), 'x')],
    ['8 KB of password', ({ userName }) => basicOf(userName, 'x'.repeat(8192))],
    ['an emoji at the edge of the longest name', () => basicOf(`${'x'.repeat(127)}😀`, 'x')],
    ['another scheme', ({ basic }) => basic.replace('Basic', 'Digest')],
    ['an access token’s scheme', ({ basic }) => basic.replace('Basic', 'Bearer')],
  ])('Basic credentials are refused with %s, as every wrong password is', async (_what, authorization) => {
    const tenant = await seedTenant();
    expect(await refusalOf(await ask(authorization(tenant)))).toEqual(CREATION_REFUSAL);
    expect(await familiesOf(tenant)).toEqual([]);
  });

  it('Basic credentials are refused with a byte that is no UTF-8, also where a replacement character would be right', async () => {
    const user = await addUser(db, { name: 'replaced', password: 'x\uFFFD', clientId: 'acme' }, leastCostHash);
    expect(user).not.toBeNull();
    expect(await refusalOf(await ask(`Basic ${base64('replaced:x', 0xff)}`))).toEqual(CREATION_REFUSAL);
    expect((await ask(basicOf('replaced', 'x\uFFFD'))).status).toBe(201);
  });

  it('Basic credentials are refused in two headers, even where both are right', async () => {
    const tenant = await seedTenant();
    expect(await refusalOf(await ask(tenant.basic, tenant.basic))).toEqual(CREATION_REFUSAL);
    expect(await refusalOf(await ask(tenant.basic, 'Bearer x'))).toEqual(CREATION_REFUSAL);
    expect(await refusalOf(await ask('Bearer x', tenant.basic))).toEqual(CREATION_REFUSAL);
    expect(await familiesOf(tenant)).toEqual([]);
  });
});
