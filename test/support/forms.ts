import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { expect } from 'vitest';
import { startTokenFamily } from '../../src/accounts/tokens/refresh-tokens.ts';
import { generateApiKey } from '../../src/accounts/keys/api-key.ts';
import { createKey } from '../../src/accounts/operator.ts';
import { parseConfig } from '../../src/config/config.ts';
import { openKeyRing } from '../../src/tokens/keys.ts';
import { newAddress } from './address.ts';
import { basicOf, db, rowsOf, type Tenant } from './seed.ts';
import { ORIGIN, call } from './service.ts';

/** The two endpoints that create links, callers for them, and multipart bodies that FormData never sends. */

/** A tenant who is signed in already. */
export interface Caller extends Tenant {
  readonly accessToken: string;
  readonly apiToken: string;
}

const keyRing = openKeyRing(parseConfig({ ...env }).tokenKeys);

/** A client with one user, one API key and one sign-in. No password matches, so that none has to be hashed. */
export async function seedCaller(clientId = `client-${nanoid(8)}`): Promise<Caller> {
  const [userId, userName, passwordHash, now] = [crypto.randomUUID(), `user-${nanoid(8)}`, 'none', Date.now()];
  await env.DB.batch([
    env.DB.prepare('INSERT INTO users (id, name, password_hash, created_at) VALUES (?, ?, ?, ?)').bind(
      userId,
      userName,
      passwordHash,
      now,
    ),
    // Its overview shows no first steps, which would take a query.
    env.DB.prepare('INSERT INTO clients (id, created_at, first_steps_ended_at) VALUES (?1, ?2, ?2)').bind(
      clientId,
      now,
    ),
    env.DB.prepare('INSERT INTO members (user_id, client_id, created_at) VALUES (?, ?, ?)').bind(userId, clientId, now),
  ]);
  const key = await createKey(db, clientId, 'seed', null, generateApiKey(), false);
  if (!key) throw new Error('the seed did not take');
  const issuer = { name: ORIGIN, ring: await keyRing(), lifetimeSeconds: 3600 };
  const { accessToken, apiToken } = await startTokenFamily(db, issuer, { id: userId, passwordHash });
  const [password, address] = ['none', newAddress()];
  const basic = basicOf(userName, password);
  return { clientId, userName, password, userId, apiKey: key.text, basic, address, accessToken, apiToken };
}

interface Creator {
  readonly path: string;
  /** The headers with a caller's credential for the endpoint. */
  readonly headersOf: (caller: Caller) => Record<string, string>;
}

export const CREATORS: readonly Creator[] = [
  { path: '/v1/links', headersOf: (caller) => ({ 'X-API-Key': caller.apiKey }) },
  { path: '/shortener/encode', headersOf: bearerOf },
];

/** The caller's access token as an `Authorization` header. */
export function bearerOf({ accessToken }: Caller): Record<string, string> {
  return { Authorization: `Bearer ${accessToken}` };
}

export const BOUNDARY = '----terse-test-boundary';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  /** The text after the name in `Content-Disposition`, and further header lines. */
  readonly more?: string;
}

/** The smallest form that creates a link for a client. */
export function smallestForm(clientId: string): Part[] {
  return [
    { name: 'url', value: 'https://example.com/' },
    { name: 'client_id', value: clientId },
  ];
}

/** Writes parts as a complete multipart/form-data body (RFC 7578). */
export function multipart(parts: readonly Part[], boundary = BOUNDARY): Uint8Array {
  const pieces = parts.flatMap(({ name, value, more = '' }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  return bytes(...pieces, `--${boundary}--\r\n`);
}

export function bytes(...pieces: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** Counts the rows of the tables to which a create adds. */
export async function storedLinks(): Promise<{ links: number; addresses: number }> {
  return { links: (await rowsOf('links')).length, addresses: (await rowsOf('addresses')).length };
}

/** Expects a documented failure: its status, and nothing in its body but `result` and this `error`. */
export async function expectFailure(response: Response, status: number, error: unknown): Promise<void> {
  expect(await response.json()).toEqual({ result: 'Failed', error });
  expect(response.status).toBe(status);
}

export const EXAMPLE = 'https://example.com/';

/** Sends a form that would create a link without these fields; expects 400 with this error, and nothing stored. */
export async function expectRefused(fields: Readonly<Record<string, string>>, error: string): Promise<void> {
  const caller = await seedCaller();
  const form = { url: EXAMPLE, client_id: caller.clientId, ...fields };
  const before = await storedLinks();
  await expectFailure(await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form }), 400, error);
  expect(await storedLinks()).toEqual(before);
}
