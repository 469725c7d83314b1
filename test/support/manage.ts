import { expect } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { seedTenant, signIn, type Tenant } from './seed.ts';
import { call, type Call } from './service.ts';

/** The management API, from a caller's side. */

/** A response with its body as JSON. */
export interface JsonResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

type HeaderFields = Readonly<Record<string, string>>;

/** Sends JSON, by default with the access token. */
type Ask = <Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: HeaderFields,
) => Promise<JsonResponse<Body>>;

export interface Manager {
  readonly tenant: Tenant;
  readonly key: HeaderFields;
  readonly bearer: HeaderFields;
  readonly ask: Ask;
  /** Creates a link by JSON and returns its id. */
  readonly make: (fields?: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly read: (id: string) => Promise<ManagedRecord>;
}

/** A caller of the management API, by default with an access token. */
export async function openManager(tenant: Tenant, through: Call = call): Promise<Manager> {
  const bearer = { Authorization: `Bearer ${(await signIn(tenant, through)).access_token}` };
  const key = { 'X-API-Key': tenant.apiKey };
  const ask: Ask = async (method, path, body, headers = bearer) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: HeaderFields = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const response = await through(path, { method, headers: { ...type, ...headers }, ...sent });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const make = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const link = { url: 'https://example.com/', client_id: tenant.clientId, ...fields };
    const { status, body } = await ask<{ result: string }>('POST', '/v1/links', link, key);
    if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
    return (JSON.parse(body.result) as { id: string }).id;
  };
  const read = async (id: string) => (await ask<ManagedRecord>('GET', `/v1/links/${id}`)).body;
  return { tenant, key, bearer, ask, make, read };
}

/** A caller with a tenant of its own. */
export const open = async (): Promise<Manager> => openManager(await seedTenant());

/** The answer to a visitor: the status, and where it leads. */
export async function follow(path: string): Promise<[status: number, target: string | null]> {
  const response = await call(path);
  return [response.status, response.headers.get('Location')];
}

/** The body of a failure; only its code matters. */
export const failed = (code: string) => ({ result: 'Failed', error: expect.stringMatching(new RegExp(`^${code}: `)) });

/** A slug that no other test uses. */
export const newSlug = (): string => `S-${crypto.randomUUID().slice(0, 8)}`;
