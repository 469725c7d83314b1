import { countPacks } from '../../src/clicks/count.ts';
import { CHROME, packOf, type PackedBy } from './clicks.ts';
import { db, type LinkRecord, type Tenant } from './seed.ts';
import { call } from './service.ts';

/** Clicks that are counted already, and queries for them. */

export type SeedClick = { readonly at: string; readonly agent?: string } & Omit<PackedBy, 'at' | 'userAgent'>;

/** Counts clicks of a link as if they came through the queue. */
export async function seedClicks(link: LinkRecord & { readonly campaign_name?: string }, clicks: readonly SeedClick[]) {
  const packed = clicks.map(({ at, agent = CHROME, ...rest }) => ({ ...rest, at: Date.parse(at), userAgent: agent }));
  await countPacks(db, [packOf(link, packed)]);
}

export async function ask(tenant: Tenant, path: string) {
  const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}
