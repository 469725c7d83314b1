import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { bearerOf, seedCaller, type Caller } from './forms.ts';
import { db } from './seed.ts';
import { call, type Call } from './service.ts';

/** Callers of the management API, and their requests. */

export const SCOPES = ['links:read', 'links:write', 'stats:read'] as const;

/** An ISO 8601 instant in UTC, as answers have them. */
export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Adds a user to a client, signed in, who belongs to no other. */
export async function seedMember({ clientId }: Caller, role: 'owner' | 'member' = 'member'): Promise<Caller> {
  const caller = await seedCaller();
  await addMember(db, caller.userName, clientId, role);
  await env.DB.prepare('DELETE FROM members WHERE user_id = ? AND client_id <> ?').bind(caller.userId, clientId).run();
  return { ...caller, clientId };
}

/** Sends a request with a body, if any: a text as CSV, all else as JSON. By default with the caller's access token. */
export function send(
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: object | string,
  through: Call = call,
): ReturnType<typeof call> {
  if (body === undefined) return through(path, { method, headers });
  const [type, text] = typeof body === 'string' ? ['text/csv', body] : ['application/json', JSON.stringify(body)];
  return through(path, { method, headers: { ...headers, 'Content-Type': type }, body: text });
}

export const ask = (caller: Caller, method: string, path: string, body?: object | string): ReturnType<typeof call> =>
  send(bearerOf(caller), method, path, body);

/** The body of an answer with a status. */
export async function answer<Body = Record<string, unknown>>(response: Response, status = 200): Promise<Body> {
  const body = await response.json<Body>();
  expect({ status: response.status, body }).toEqual({ status, body });
  return body;
}

interface KeyRecord {
  readonly id: string;
  readonly name: string;
  /** The secret text. */
  readonly key: string;
}

/** A page of keys, as `GET /v1/keys` answers. */
export interface KeyList {
  readonly keys: readonly Record<string, unknown>[];
  readonly cursor: string | null;
}

/** Makes a key over HTTP, in the caller's name. */
export async function seedKey(caller: Caller, scopes: readonly string[] = SCOPES, name = 'a key'): Promise<KeyRecord> {
  return answer<KeyRecord>(await ask(caller, 'POST', '/v1/keys', { name, scopes }), 201);
}

/** The status of a create with a key's text, which says whether the key works. */
export async function statusOf(caller: Caller, key: string): Promise<number> {
  const form = { url: 'https://example.com/', client_id: caller.clientId };
  return (await call('/v1/links', { headers: { 'X-API-Key': key }, form })).status;
}

interface LoggedEntry {
  readonly action: string;
  readonly subject: { readonly id: string };
  readonly credential: { readonly kind: string };
}

/** Reads the changes of users from the audit log: the oldest entry first, as action and subject. */
export async function loggedIn(caller: Caller): Promise<unknown[]> {
  const { entries } = await answer<{ entries: LoggedEntry[] }>(await ask(caller, 'GET', '/v1/audit?limit=100'));
  const byOthers = entries.filter(({ credential }) => credential.kind !== 'operator');
  return byOthers.map(({ action, subject }) => [action, subject.id]).toReversed();
}
