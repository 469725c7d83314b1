import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, it } from 'vitest';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { parseTokenKeys, type TokenKey } from '../../src/secrets/jwks.ts';
import { seedLink, seedTenant, signIn, type Tenant, type Tokens } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { STORE_ENDPOINTS, TOKEN_ENDPOINTS, kidOf, refresh, refusalOf } from '../support/tokens.ts';

/** The service as it is deployed with these keys. */
const withKeys = (...keys: readonly TokenKey[]) => openIsolate({ TOKEN_KEYS: JSON.stringify(keys) });

async function seedKeys(): Promise<[older: TokenKey, newer: TokenKey]> {
  return [await generateTokenKey(), await generateTokenKey()];
}

/** A tenant who has a link to ask for, and has signed in before anything changed. */
async function seedCaller(through: Call): Promise<{ tenant: Tenant; tokens: Tokens }> {
  const tenant = await seedTenant();
  await seedLink(tenant);
  return { tenant, tokens: await signIn(tenant, through) };
}

async function statusesOf(tenant: Tenant, tokens: Tokens, through: Call): Promise<number[]> {
  const statuses: number[] = [];
  for (const { takes, header, send } of TOKEN_ENDPOINTS) {
    statuses.push((await send(tenant, header(tokens[takes]), through)).status);
  }
  return statuses;
}

const kidsOf = ({ access_token, api_token }: Tokens) =>
  [access_token, api_token].map((token) => decodeProtectedHeader(token).kid);

describe('a key that is put before another', () => {
  it('a key that is put before another signs from then on, and callers with tokens of the older one notice nothing', async () => {
    const [older, newer] = await seedKeys();
    const { tenant, tokens } = await seedCaller(withKeys(older));
    const rotated = withKeys(newer, older);

    expect(await statusesOf(tenant, tokens, rotated)).toEqual([200, 200, 200, 200]);
    const response = await refresh(tokens.refresh_token, rotated);
    expect(response.status).toBe(201);
    const renewed = await response.json<Tokens>();

    expect(kidsOf(tokens)).toEqual([await kidOf(older), await kidOf(older)]);
    expect(kidsOf(renewed)).toEqual([await kidOf(newer), await kidOf(newer)]);
    expect(await statusesOf(tenant, renewed, rotated)).toEqual([200, 200, 200, 200]);
  });

  it('a key that is put before another can wait behind the one that signs, so that every isolate knows it before it signs', async () => {
    const [older, newer] = await seedKeys();
    const waiting = withKeys(older, newer);
    expect(kidsOf(await signIn(await seedTenant(), waiting))).toEqual([await kidOf(older), await kidOf(older)]);
    const { tenant, tokens } = await seedCaller(withKeys(newer, older));
    expect(await statusesOf(tenant, tokens, waiting)).toEqual([200, 200, 200, 200]);
  });

  it('a key that is put before another is published first, beside the older one, and verifies what it signs', async () => {
    const [older, newer] = await seedKeys();
    const rotated = withKeys(newer, older);
    const jwks = await (await rotated('/.well-known/jwks.json')).json<JSONWebKeySet>();
    expect(jwks.keys.map(({ kid }) => kid)).toEqual([await kidOf(newer), await kidOf(older)]);
    expect(jwks.keys.flatMap(Object.keys)).not.toContain('d');
    const keySet = createLocalJWKSet(jwks);
    for (const isolate of [rotated, withKeys(older)]) {
      const { access_token, local_id } = await signIn(await seedTenant(), isolate);
      expect((await jwtVerify(access_token, keySet)).payload.sub).toBe(local_id);
    }
  });
});

describe('a key that is taken away', () => {
  it('a key that is taken away takes its tokens with it, on every endpoint', async () => {
    const [older, newer] = await seedKeys();
    const { tenant, tokens } = await seedCaller(withKeys(older));
    const after = withKeys(newer);
    for (const { name, takes, header, send, refusal } of TOKEN_ENDPOINTS) {
      const response = await send(tenant, header(tokens[takes]), after);
      expect([name, ...(await refusalOf(response))]).toEqual([name, ...refusal]);
    }
    const jwks = await (await after('/.well-known/jwks.json')).json<JSONWebKeySet>();
    expect(jwks.keys.map(({ kid }) => kid)).toEqual([await kidOf(newer)]);
  });

  it('a key that is taken away leaves the sign-in itself: its refresh token gets a set that the new key signs', async () => {
    const [older, newer] = await seedKeys();
    const { tenant, tokens } = await seedCaller(withKeys(older));
    const after = withKeys(newer);
    const renewed = await (await refresh(tokens.refresh_token, after)).json<Tokens>();
    expect(kidsOf(renewed)).toEqual([await kidOf(newer), await kidOf(newer)]);
    expect(await statusesOf(tenant, renewed, after)).toEqual([200, 200, 200, 200]);
  });
});

it('keeps tokens working in every isolate with the same keys, in whatever form they are stored', async () => {
  const [key] = await seedKeys();
  const { tenant, tokens } = await seedCaller(withKeys(key));
  const annotated = { ...key, kid: 'named by hand', use: 'sig', alg: 'EdDSA', key_ops: ['sign'] };
  const isolate = openIsolate({ TOKEN_KEYS: ` ${JSON.stringify([annotated], null, 2)}\n` });
  for (const { name, takes, header, send } of STORE_ENDPOINTS) {
    const { status } = await send(tenant, header(tokens[takes]), isolate);
    expect([name, status]).toEqual([name, 200]);
  }
});

describe('TOKEN_KEYS', () => {
  // The first test vector of RFC 8032, section 7.1.
  const key = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  };

  it('TOKEN_KEYS is taken where it holds a private key', () => {
    expect(parseTokenKeys(JSON.stringify([key]))).toEqual([key]);
  });

  it.each<[what: string, text: string]>([
    ['nothing', ''],
    ['no JSON', 'secret'],
    ['no list', JSON.stringify(key)],
    ['an empty list', '[]'],
    ['a public key', JSON.stringify([{ ...key, d: undefined }])],
    ['a key of another curve', JSON.stringify([{ ...key, crv: 'X25519' }])],
    ['a key of another type', JSON.stringify([{ kty: 'oct', k: 'A'.repeat(43) }])],
    ['a key cut short', JSON.stringify([{ ...key, d: 'A'.repeat(42) }])],
    ['one good key and one bad', JSON.stringify([key, {}])],
    ['two halves that do not belong together', JSON.stringify([{ ...key, x: 'A'.repeat(43) }])],
  ])('TOKEN_KEYS stops the Worker, in a sentence without the secret, when it holds %s', (_what, text) => {
    expect(parseTokenKeys(text)).toBeNull();
    expect(() => openIsolate({ TOKEN_KEYS: text })).toThrow(
      /^TOKEN_KEYS must be a JSON list of private Ed25519 JWKs; "npm run account -- signing-key" prints one\.$/,
    );
  });
});
