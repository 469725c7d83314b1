import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { ClickHooks } from '../../src/clicks/events/hooks.ts';
import { countPacks } from '../../src/clicks/count.ts';
import { CHROME, packOf, type PackedBy } from './clicks.ts';
import { db, seedLink, seedTenant, statistics, type LinkRecord, type Tenant } from './seed.ts';
import { call } from './service.ts';

/** Clicks that are counted already, and queries for them. */

export type SeedClick = { readonly at: string; readonly agent?: string } & Omit<PackedBy, 'at' | 'userAgent'>;

/** Counts clicks of a link as if they came through the queue. */
export async function seedClicks(link: LinkRecord & { readonly campaign_name?: string }, clicks: readonly SeedClick[]) {
  const packed = clicks.map(({ at, agent = CHROME, ...rest }) => ({ ...rest, at: Date.parse(at), userAgent: agent }));
  await countPacks({ db, statistics, failures: null, hooks: new ClickHooks() }, [packOf(link, packed)]);
}

export async function ask(tenant: Tenant, path: string) {
  const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

/** The rows of a query in the object of a client. */
export function rowsOfObject(clientId: string, sql: string): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(env.STATISTICS.getByName(clientId), (_object, { storage }) => [...storage.sql.exec(sql)]);
}

/** Every row of every table of a client's object as text, bytes as Latin-1 and as hexadecimal digits. */
export async function everyRowOfObject(clientId: string): Promise<string> {
  const tables = await rowsOfObject(
    clientId,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => rowsOfObject(clientId, `SELECT * FROM ${name as string}`)));
  const values = rows.flat().flatMap((row) => Object.values(row));
  return values
    .map((value) => {
      if (!(value instanceof ArrayBuffer)) return String(value);
      const bytes = Buffer.from(value);
      return `${bytes.toString('latin1')} ${bytes.toString('hex')}`;
    })
    .join(' ');
}

/**
 * Folds the clicks of a client as an hour later. The alarm may be at it, since it is due at once where a test sets the
 * clock back.
 */
export async function foldClicks(clientId: string): Promise<void> {
  for (let runs = 0; runs < 20; runs++) {
    await rowsOfObject(clientId, 'UPDATE deliveries SET at = at - 3600000');
    await runInDurableObject(env.STATISTICS.getByName(clientId), (object) => object.alarm());
    if ((await rowsOfObject(clientId, 'SELECT 1 FROM deliveries')).length === 0) return;
  }
  throw new Error('clicks are left that the alarm does not fold');
}

/** Clicks of people only, as a row or an answer counts them. */
export const humans = (clicks: number) => ({ total: clicks, humans: clicks, bots: 0, previews: 0 });

/** The keys of an answer's rows with clicks, and how many they are. */
export function clicked({ body }: { readonly body: Record<string, unknown> }): [key: string | null, total: number][] {
  const rows = body['rows'] as { readonly key: string | null; readonly total: number }[];
  return rows.filter(({ total }) => total > 0).map(({ key, total }) => [key, total]);
}

/** Clicks of one link in a client of its own. */
export async function seedClicked(clicks: readonly SeedClick[]): Promise<{ tenant: Tenant; link: LinkRecord }> {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  await seedClicks(link, clicks);
  return { tenant, link };
}

/** The cursor of an answer's rows; null at their end. */
export function cursorIn({ cursor }: Record<string, unknown>): string | null {
  if (cursor !== null && typeof cursor !== 'string') throw new TypeError('an answer has a cursor, or null');
  return cursor;
}
