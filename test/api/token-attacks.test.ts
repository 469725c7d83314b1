import { exportSPKI, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { rowsOf, seedLink, seedTenant, signIn, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import {
  changed,
  compact,
  kidOf,
  misplaced,
  MISPLACED_CHALLENGE,
  refusalOf,
  signerOf,
  SIGNING_KEY,
  TOKEN_ENDPOINTS,
  type Change,
  type Signer,
  type TokenEndpoint,
} from '../support/tokens.ts';

// Each attack is a genuine token with one thing changed, and signed anew by the real key wherever it can be: then only
// the check of that one thing can refuse it.

type Attack = readonly [what: string, forge: (genuine: string) => string | Promise<string>];

const forged =
  (change: Change) =>
  (genuine: string): Promise<string> =>
    changed(genuine, change);

const now = () => Math.floor(Date.now() / 1000);
const stranger = await generateTokenKey();
const { kty, crv, x } = SIGNING_KEY;
const publicKey = await importJWK({ kty, crv, x }, 'EdDSA', { extractable: true });
if (publicKey instanceof Uint8Array) throw new Error('the seed key is not a public key');
const unsigned: Signer = async () => new ArrayBuffer(0);

function hmacBy(secret: string | Uint8Array): Signer {
  return async (signed) => {
    const hash = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', Buffer.from(secret), hash, false, ['sign']);
    return crypto.subtle.sign('HMAC', key, signed);
  };
}

/** Another text for the same octets: of the last character of a signature two bits count, and four do not. */
const otherLast = (part: string) => part.slice(0, -1) + { A: 'B', Q: 'R', g: 'h', w: 'x' }[part.at(-1) as 'A'];

/** The token with one of its three parts replaced. */
function withPart(genuine: string, index: 0 | 1 | 2, replace: (part: string) => string): string {
  return genuine
    .split('.')
    .map((part, at) => (at === index ? replace(part) : part))
    .join('.');
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = { alg: 'EdDSA', typ: 'at+jwt', kid: await kidOf(SIGNING_KEY) };

const ALGORITHMS: readonly Attack[] = [
  ['alg none without a signature', forged({ header: { alg: 'none' }, sign: unsigned })],
  ['alg None, in another case', forged({ header: { alg: 'nOnE' }, sign: unsigned })],
  ['alg none with the genuine signature', (genuine) => withPart(genuine, 0, () => encoded({ ...header, alg: 'none' }))],
  ['no alg', forged({ header: { alg: undefined } })],
  [
    'HS256 with the public key’s octets',
    forged({ header: { alg: 'HS256' }, sign: hmacBy(Buffer.from(x, 'base64url')) }),
  ],
  ['HS256 with the public key’s text', forged({ header: { alg: 'HS256' }, sign: hmacBy(x) })],
  [
    'HS256 with the public key as JWK',
    forged({ header: { alg: 'HS256' }, sign: hmacBy(JSON.stringify({ kty, crv, x })) }),
  ],
  ['HS256 with the public key as PEM', forged({ header: { alg: 'HS256' }, sign: hmacBy(await exportSPKI(publicKey)) })],
  ['the other name of the algorithm', forged({ header: { alg: 'Ed25519' } })],
  ['a payload that is not encoded', forged({ header: { crit: ['b64'], b64: false } })],
  ['a critical extension no one knows', forged({ header: { crit: ['x'], x: 1 } })],
];

const KEYS: readonly Attack[] = [
  ['an unknown kid', forged({ header: { kid: await kidOf(stranger) }, sign: signerOf(stranger) })],
  ['an unknown kid on a genuine signature', forged({ header: { kid: 'x' } })],
  ['no kid', forged({ header: { kid: undefined } })],
  ['an empty kid', forged({ header: { kid: '' } })],
  ['a kid that is no text', forged({ header: { kid: 0 } })],
  ['a kid that every object has', forged({ header: { kid: 'constructor' } })],
  ['a kid that is a path', forged({ header: { kid: '../../../../dev/null' } })],
  ['our kid on a stranger’s signature', forged({ sign: signerOf(stranger) })],
  ['a stranger’s key inside', forged({ header: { jwk: { kty, crv, x: stranger.x } }, sign: signerOf(stranger) })],
  ['a key set to fetch', forged({ header: { jku: 'https://evil.example/jwks.json' }, sign: signerOf(stranger) })],
];

const CLAIMS: readonly Attack[] = [
  ['another issuer', forged({ claims: { iss: 'https://other.example' } })],
  ['an issuer that differs by a slash', forged({ claims: { iss: 'https://terse.test/' } })],
  ['no issuer', forged({ claims: { iss: undefined } })],
  ['another audience', forged({ claims: { aud: 'terse:other' } })],
  ['no audience', forged({ claims: { aud: undefined } })],
  ['an expiry that is this second', (genuine) => changed(genuine, { claims: { exp: now() } })],
  ['an expiry long ago', forged({ claims: { iat: 1_000_000_000, exp: 1_000_003_600 } })],
  ['no expiry', forged({ claims: { exp: undefined } })],
  ['an expiry that is no number', (genuine) => changed(genuine, { claims: { exp: String(now() + 3600) } })],
  ['a start (nbf) in the future', (genuine) => changed(genuine, { claims: { nbf: now() + 60 } })],
  ['an issue time (iat) in the future', (genuine) => changed(genuine, { claims: { iat: now() + 60 } })],
  ['no issue time', forged({ claims: { iat: undefined } })],
  ['an issue time that is no number', forged({ claims: { iat: '0' } })],
  ['no subject', forged({ claims: { sub: undefined } })],
  ['a subject that is no text', forged({ claims: { sub: 1 } })],
  ['no family', forged({ claims: { sid: undefined } })],
  ['no id', forged({ claims: { jti: undefined } })],
  ['the typ of other tokens', forged({ header: { typ: 'JWT' } })],
  ['a typ that only begins like ours', forged({ header: { typ: 'at+jwt2' } })],
  ['no typ', forged({ header: { typ: undefined } })],
];

const SHAPES: readonly Attack[] = [
  ['its last character missing', (genuine) => genuine.slice(0, -1)],
  ['half of it missing', (genuine) => genuine.slice(0, genuine.length / 2)],
  ['its signature missing', (genuine) => withPart(genuine, 2, () => '')],
  ['a padded signature', (genuine) => `${genuine}==`],
  ['a signature whose last bits are not zero', (genuine) => withPart(genuine, 2, (part) => otherLast(part))],
  [
    'white space within the signature',
    (genuine) => withPart(genuine, 2, (part) => `${part.slice(0, 40)} ${part.slice(40)}`),
  ],
  [
    'the alphabet of plain base64',
    (genuine) => withPart(genuine, 2, (part) => `${part.replaceAll('-', '+').replaceAll('_', '/')}==`),
  ],
  ['two parts only', (genuine) => genuine.split('.').slice(0, 2).join('.')],
  ['five parts', (genuine) => `${genuine}.e30.e30`],
  ['a flipped signature', (genuine) => withPart(genuine, 2, (part) => (part[0] === 'A' ? 'B' : 'A') + part.slice(1))],
  ['another payload under its signature', (genuine) => withPart(genuine, 1, () => encoded({ sub: 'someone else' }))],
  ['a payload that is null', () => compact(header, null)],
  ['a payload that is a list', () => compact(header, [])],
  ['a payload that is no JSON', (genuine) => withPart(genuine, 1, () => 'AAAA')],
  ['a header that is no JSON', (genuine) => withPart(genuine, 0, () => 'AAAA')],
  ['characters of another alphabet', (genuine) => withPart(genuine, 0, (part) => `${part}%~`)],
  ['8 KB, validly signed', forged({ claims: { pad: 'x'.repeat(6 * 1024) } })],
  ['8 KB of one letter', () => 'x'.repeat(8 * 1024)],
  ['8 KB of dots', () => '.'.repeat(8 * 1024)],
];

interface Target {
  readonly tenant: Tenant;
  /** The genuine token that an endpoint takes. */
  readonly genuine: (endpoint: TokenEndpoint) => string;
  /** The genuine token of the other audience. */
  readonly foreign: (endpoint: TokenEndpoint) => string;
}

async function seedTarget(): Promise<Target> {
  const tenant = await seedTenant();
  await seedLink(tenant);
  const tokens = await signIn(tenant);
  return {
    tenant,
    genuine: ({ takes }) => tokens[takes],
    foreign: ({ takes }) => (takes === 'access_token' ? tokens.api_token : tokens.access_token),
  };
}

/** Sends headers to every endpoint and expects each to refuse them in its own documented way, storing nothing. */
async function expectRefused(
  { tenant }: Target,
  headersOf: (endpoint: TokenEndpoint) => HeadersInit | Promise<HeadersInit>,
  endpoints: readonly TokenEndpoint[] = TOKEN_ENDPOINTS,
): Promise<void> {
  const links = (await rowsOf('links')).length;
  for (const endpoint of endpoints) {
    const response = await endpoint.send(tenant, await headersOf(endpoint));
    expect([endpoint.name, ...(await refusalOf(response))]).toEqual([endpoint.name, ...endpoint.refusal]);
  }
  expect(await rowsOf('links')).toHaveLength(links);
}

describe('a token sent to each endpoint', () => {
  it('a token sent to each endpoint is taken where it is genuine, also when the test has signed it anew', async () => {
    const { tenant, genuine } = await seedTarget();
    for (const endpoint of TOKEN_ENDPOINTS) {
      for (const token of [genuine(endpoint), await changed(genuine(endpoint), {})]) {
        const { status } = await endpoint.send(tenant, endpoint.header(token));
        expect([endpoint.name, status]).toEqual([endpoint.name, 200]);
      }
    }
  });

  it.each([...ALGORITHMS, ...KEYS, ...CLAIMS, ...SHAPES])(
    'a token sent to each endpoint is refused with %s',
    async (_what, forge) => {
      const target = await seedTarget();
      await expectRefused(target, async (endpoint) => endpoint.header(await forge(target.genuine(endpoint))));
    },
  );

  it('a token sent to each endpoint is refused for the use of the other, and an api_token is named as such', async () => {
    const target = await seedTarget();
    const endpoints = TOKEN_ENDPOINTS.map((endpoint) => ({ ...endpoint, refusal: misplaced(endpoint.refusal) }));
    await expectRefused(target, (endpoint) => endpoint.header(target.foreign(endpoint)), endpoints);
  });

  it('a token sent to each endpoint is refused in the header of the other use', async () => {
    const target = await seedTarget();
    const [, info, encode, links] = TOKEN_ENDPOINTS;
    for (const endpoint of [info!, encode!]) {
      const response = await endpoint.send(target.tenant, { 'X-API-Key': target.foreign(endpoint) });
      expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="terse"']);
    }
    const response = await links!.send(target.tenant, { Authorization: `Bearer ${target.genuine(links!)}` });
    const challenge = `${MISPLACED_CHALLENGE}, ApiKey realm="terse"`;
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, challenge]);
  });

  it('a token sent to each endpoint is checked after the form: the error of an invalid form does not depend on its token', async () => {
    const { tenant, genuine } = await seedTarget();
    for (const endpoint of TOKEN_ENDPOINTS.slice(2)) {
      const path = endpoint.name.split(' ')[1]!;
      const form = { url: 'no url', client_id: tenant.clientId };
      const [good, bad] = await Promise.all(
        [genuine(endpoint), 'x'].map((token) => call(path, { headers: endpoint.header(token), form })),
      );
      expect([good!.status, await good!.json()]).toEqual([bad!.status, await bad!.json()]);
      expect(bad!.status).toBe(400);
    }
  });
});
