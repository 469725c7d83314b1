import { env } from 'cloudflare:workers';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose';
import { expect } from 'vitest';
import type { TokenKey } from '../../src/secrets/jwks.ts';
import { rowsOf, type Tenant } from './seed.ts';
import { call, type Call } from './service.ts';

/** Tokens written by hand, the endpoints that take one, and their answers to a bad one. */

/** The keys of the service under test; the first signs. */
export const [SIGNING_KEY, OLDER_KEY] = JSON.parse(env.TOKEN_KEYS ?? '') as [TokenKey, TokenKey];

export const kidOf = ({ kty, crv, x }: TokenKey): Promise<string> => calculateJwkThumbprint({ kty, crv, x });

export type Signer = (signed: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;

/** Signs by Ed25519 with the platform itself, so that the library is not tested against itself. */
export function signerOf(key: TokenKey = SIGNING_KEY): Signer {
  return async (signed) => {
    const imported = await crypto.subtle.importKey('jwk', { ...key }, { name: 'Ed25519' }, false, ['sign']);
    return crypto.subtle.sign('Ed25519', imported, signed);
  };
}

/** A JWT in its compact form (RFC 7515, section 7.1), with any parts. */
export async function compact(header: object, payload: unknown, sign: Signer = signerOf()): Promise<string> {
  const signed = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${Buffer.from(await sign(Buffer.from(signed))).toString('base64url')}`;
}

export interface Change {
  /** Header fields that are added or replaced; an undefined one is left out. */
  readonly header?: Record<string, unknown>;
  /** Claims that are added or replaced; an undefined one is left out. */
  readonly claims?: Record<string, unknown>;
  readonly sign?: Signer;
}

/** A token with other fields, signed anew. */
export function changed(token: string, { header, claims, sign = signerOf() }: Change): Promise<string> {
  return compact({ ...decodeProtectedHeader(token), ...header }, { ...decodeJwt(token), ...claims }, sign);
}

export interface TokenEndpoint {
  readonly name: string;
  /** Which token of a sign-in it accepts. */
  readonly takes: 'access_token' | 'api_token';
  /** The header for a token. */
  readonly header: (token: string) => Record<string, string>;
  readonly send: (tenant: Tenant, headers: HeadersInit, through?: Call) => Promise<Response>;
  /** The status and body for an invalid token, and the challenge. */
  readonly refusal: readonly [status: 401, challenge: string, body: object];
}

const INVALID = 'The token is not valid or has expired. Get a new one with GET /tokens/create_token.';
/** The sentence for an api_token in place of an access_token. */
const MISPLACED =
  'This is an api_token, which only the header X-API-Key takes. Send the access_token of the same sign-in here.';
const INVALID_TOKEN = { result: 'Failed', error: `invalid_credential: ${INVALID}` };
export const BEARER_CHALLENGE = `Bearer realm="terse", error="invalid_token", error_description="${INVALID}"`;
export const MISPLACED_CHALLENGE = BEARER_CHALLENGE.replace(INVALID, MISPLACED);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const formOf = (tenant: Tenant) => ({ url: 'https://example.com/', client_id: tenant.clientId });

const INVALID_IN_KEY_HEADER = {
  result: 'Failed',
  error:
    'invalid_credential: X-API-Key takes an API key, which begins with tk_, or a valid api_token of ' +
    'GET /tokens/create_token. An access_token goes into Authorization: Bearer.',
};

/** Every endpoint that accepts a token in a header. */
export const TOKEN_ENDPOINTS: readonly TokenEndpoint[] = [
  {
    name: 'GET /tokens/token_info',
    takes: 'access_token',
    header: bearer,
    send: (_, headers, through = call) => through('/tokens/token_info', { headers }),
    refusal: [401, BEARER_CHALLENGE, { access_denied: INVALID, http_ressponse: 401 }],
  },
  {
    name: 'GET /info/{id}/{client_id}/{sec_id}',
    takes: 'access_token',
    header: bearer,
    send: async (tenant, headers, through = call) => {
      const link = (await rowsOf('links')).find((row) => row['client_id'] === tenant.clientId);
      return through(`/info/${String(link?.['id'])}/${tenant.clientId}/${String(link?.['sec_id'])}`, { headers });
    },
    refusal: [401, BEARER_CHALLENGE, INVALID_TOKEN],
  },
  {
    name: 'POST /shortener/encode',
    takes: 'access_token',
    header: bearer,
    send: (tenant, headers, through = call) => through('/shortener/encode', { headers, form: formOf(tenant) }),
    refusal: [401, BEARER_CHALLENGE, INVALID_TOKEN],
  },
  {
    name: 'POST /v1/links',
    takes: 'api_token',
    header: (token) => ({ 'X-API-Key': token }),
    send: (tenant, headers, through = call) => through('/v1/links', { headers, form: formOf(tenant) }),
    refusal: [401, 'ApiKey realm="terse"', INVALID_IN_KEY_HEADER],
  },
];

/** The refusal for a token of the other use. */
export function misplaced(refusal: TokenEndpoint['refusal']): TokenEndpoint['refusal'] {
  return JSON.parse(JSON.stringify(refusal).replaceAll(INVALID, MISPLACED));
}

/** The endpoints that check in the database whether a token is still valid. */
export const STORE_ENDPOINTS = TOKEN_ENDPOINTS.filter(({ name }) => name !== 'GET /tokens/token_info');

/** Everything that a refusal says to a caller. */
export async function refusalOf(response: Response): Promise<readonly unknown[]> {
  return [response.status, response.headers.get('WWW-Authenticate'), await response.json()];
}

/** The documented failure of token creation, and of refresh. */
export const CREATION_REFUSAL = [
  401,
  'Basic realm="terse", charset="UTF-8"',
  { access_token: 'NONE', detail: 'Check your credentials', result: 'Authentication Failed' },
];

/** The exact body of a token response. */
export const tokenResponse = (tenant: Tenant, seconds = 3600) => ({
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
  api_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
  detail: `The access token and the API token work for ${seconds} seconds.`,
  local_id: tenant.userId,
  refresh_token: expect.stringMatching(/^[\w-]{43}$/),
  result: 'Token Created',
});

/** Sends a refresh token for a new pair. */
export function refresh(token: string, through: Call = call): Promise<Response> {
  return through('/tokens/refresh_token', { form: { refresh_token: token } });
}

/** The families of a tenant's user, as rows. */
export async function familiesOf(tenant: Tenant): Promise<Record<string, unknown>[]> {
  return (await rowsOf('token_families')).filter((row) => row['user_id'] === tenant.userId);
}
