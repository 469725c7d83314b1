import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { expect } from 'vitest';
import { generateApiKey } from '../../src/accounts/keys/api-key.ts';
import { addUser, createKey } from '../../src/accounts/operator.ts';
import { openDatabase } from '../../src/database/service-database.ts';
import { addActiveDomain } from '../../src/domains/domains.ts';
import { newAddress } from './address.ts';
import { leastCostHash } from './least-cost.ts';
import { openStatistics } from '../../src/statistics/statistics.ts';
import { call, type Call } from './service.ts';

/** The data with which tests start, created by the same verbs as with the operator's tool. Names are new each time. */

export const db = openDatabase(env.DB);
export const statistics = openStatistics(env.STATISTICS, 30_000);

export interface Tenant {
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  readonly userId: string;
  readonly apiKey: string;
  /** The user's name and password as an `Authorization` header. */
  readonly basic: string;
  /** An address of its own, so that tests do not use up each other's attempts. */
  readonly address: string;
}

/**
 * A client with one user and one API key.
 *
 * @param hash hashes the password; by default at the least cost
 */
export async function seedTenant({ hash = leastCostHash } = {}): Promise<Tenant> {
  const clientId = `client-${nanoid(8)}`;
  const userName = `user-${nanoid(8)}`;
  const password = `password ${nanoid(8)}: ünïcode`;
  const user = await addUser(db, { name: userName, password, clientId }, hash);
  const key = await createKey(db, clientId, 'seed', null, generateApiKey(), false);
  if (!user || !key) throw new Error('the seed did not take');
  const basic = basicOf(userName, password);
  return { clientId, userName, password, userId: user.userId, apiKey: key.text, basic, address: newAddress() };
}

export function basicOf(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

export interface Tokens {
  readonly access_token: string;
  readonly api_token: string;
  readonly refresh_token: string;
  readonly local_id: string;
}

/** Signs a tenant's user in over HTTP. */
export async function signIn(tenant: Tenant, through: Call = call): Promise<Tokens> {
  const headers = { Authorization: tenant.basic, 'CF-Connecting-IP': tenant.address };
  const response = await through('/tokens/create_token', { headers });
  if (response.status !== 201) throw new Error(`sign-in answered ${response.status}`);
  return response.json();
}

export interface LinkRecord {
  readonly id: string;
  readonly short_url: string;
  readonly url: string;
  readonly client_id: string;
  readonly sec_id: string;
}

/** The names of the published record, in their order. */
export const PUBLISHED_NAMES = [
  'id',
  'short_url',
  'url',
  'client_id',
  'sec_id',
  'campaign_name',
  'custom_domain',
  'metadata',
  'created_at',
];

/** Creates a link over HTTP with the tenant's key. */
export async function seedLink(
  tenant: Tenant,
  fields: Readonly<Record<string, string>> = {},
  through: Call = call,
): Promise<LinkRecord> {
  const form = { url: 'https://example.com/', client_id: tenant.clientId, ...fields };
  const response = await through('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form });
  const body = await response.json<{ result: string; error?: string }>();
  if (response.status !== 200) throw new Error(`create answered ${response.status} ${body.error}`);
  return JSON.parse(body.result);
}

/** The click statistics of a link without clicks. */
export const NO_CLICKS = {
  total: 0,
  humans: 0,
  bots: 0,
  previews: 0,
  visitors_today: 0,
  last_at: null,
  by_day: expect.toSatisfy(
    (days: readonly { day: string; total: number }[]) =>
      days.length === 30 && days.every(({ total }) => total === 0) && days.at(-1)?.day === today(),
  ),
};

const today = () => new Date().toISOString().slice(0, 10);

/** Makes a host an active custom domain of the tenant. */
export async function seedDomain(
  tenant: Tenant,
  host = `${nanoid(8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x')}.example`,
) {
  if (!(await addActiveDomain(db, host, tenant.clientId))) throw new Error('the domain did not take');
  return host;
}

/** Every row of a table, for tests of what is left behind. */
export async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
  return results;
}

/** All rows by table, except those that only record that a user was active. */
export async function contentOfTables(): Promise<Record<string, unknown>> {
  const { sql, tables } = await (content ??= readContent());
  const row = await env.DB.prepare(sql).first<Record<string, string>>();
  return Object.fromEntries(
    [...tables].map(([table, columns]) => {
      const rows = JSON.parse(row![table]!) as readonly (readonly (readonly unknown[])[])[];
      return [
        table,
        rows.map((parts) => Object.fromEntries(parts.flat().map((value, index) => [columns[index], value]))),
      ];
    }),
  );
}

let content: ReturnType<typeof readContent> | undefined;
const ACTIVITY = new Set(['last_used_at', 'seen_at', 'basic_used_at']);
// D1 takes 32 arguments of a function: https://developers.cloudflare.com/d1/platform/limits/
const MAX_ARGUMENTS = 32;

/** A query of all tables at once, as a query for each takes most of the time of many tests, and the columns of each. */
async function readContent() {
  const { results } = await env.DB.prepare(
    `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s JOIN pragma_table_info(s.name) c
      WHERE s.type = 'table' AND s.sql LIKE '%STRICT%' AND s.name <> 'encode_days' ORDER BY s.name, c.cid`,
  ).all<{ readonly table: string; readonly column: string }>();
  const named = results.filter(({ column }) => !ACTIVITY.has(column));
  const tables = new Map(
    [...Map.groupBy(named, ({ table }) => table)].map(([table, rows]) => [table, rows.map(({ column }) => column)]),
  );
  const queries = [...tables].map(([table, columns]) => {
    const values = columns.map((column) => `iif(typeof("${column}") = 'blob', hex("${column}"), "${column}")`);
    const parts = Array.from({ length: Math.ceil(values.length / MAX_ARGUMENTS) }, (_, part) =>
      values.slice(part * MAX_ARGUMENTS, (part + 1) * MAX_ARGUMENTS),
    );
    const row = `json_array(${parts.map((part) => `json_array(${part.join(', ')})`).join(', ')})`;
    return `(SELECT json_group_array(${row}) FROM "${table}") AS "${table}"`;
  });
  return { sql: `SELECT ${queries.join(', ')}`, tables };
}
