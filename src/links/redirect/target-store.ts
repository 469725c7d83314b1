import type { Database, Statement } from '../../database.ts';
import type { NearestDatabase } from '../../nearest-database.ts';
import { isTargetBlocked } from '../../targets/blocklist.ts';
import { toVisitorContent, VISITOR_COLUMNS, type VisitorRow } from '../fields/visitors.ts';
import type { Address, Ending, NoTarget, Target } from '../link.ts';
import { keysOf } from '../slug.ts';

interface TargetRow extends VisitorRow {
  readonly id: string;
  readonly client_id: string;
  readonly disabled_at: number | null;
  readonly deleted_at: number | null;
  readonly revision: number;
  /** Whether the operator has blocked its host. */
  readonly is_blocked: number;
}

const TARGET_COLUMNS = `links.id, client_id, ${VISITOR_COLUMNS}, disabled_at, deleted_at, revision,
  ${isTargetBlocked('url')} AS is_blocked`;

// The service's own host, in SQL.
const SERVICE = `''`;

/** Selects a link by its address. Domains count while they serve links: while active, and while lost. */
function idAt(host: string, folded: readonly string[], slug: string): string {
  const domainId =
    host === SERVICE
      ? `''`
      : `CASE WHEN ${host} = '' THEN '' ELSE (SELECT id FROM domains WHERE host = ${host} AND status <> 'pending') END`;
  return `(SELECT link_id FROM addresses WHERE folded IN (${folded.join(', ')}) AND slug = ${slug} AND domain_id = ${domainId})`;
}

// Compiling takes longer than running, so for the service's own host the conditions about domains are left out.
const FIND_ON_SERVICE = `SELECT ${TARGET_COLUMNS} FROM links WHERE links.id = ${idAt(SERVICE, ['?1'], '?2')}`;
const FIND_ON_SERVICE_OF_OLD = `SELECT ${TARGET_COLUMNS} FROM links WHERE links.id = ${idAt(SERVICE, ['?1', '?3'], '?2')}`;
const FIND_ON_DOMAIN = `
  SELECT ${TARGET_COLUMNS}, CASE WHEN links.id IS NULL THEN (
    SELECT not_found_url FROM domains
    WHERE host = ?1 AND status <> 'pending' AND NOT ${isTargetBlocked('not_found_url')}) END AS not_found_url
  FROM (SELECT 1) LEFT JOIN links ON links.id = ${idAt('?1', ['?2', '?4', '?5'], '?3')}`;

type FoundRow = TargetRow | { readonly id: null; readonly not_found_url: string | null };

/** What was found at an address. */
export interface Found {
  readonly found: Target | NoTarget;
  /** Whether it comes from the primary: a replica can lag behind. */
  readonly isCurrent: boolean;
}

/** Finds the target of an address. If there is no link, the same query returns where the domain redirects. */
export async function findTarget(db: Database, address: Address): Promise<Target | NoTarget> {
  return toFound(await db.first<FoundRow>(findAt(address)));
}

/** Like `findTarget`, in the nearest copy of the database. */
export async function findNearestTarget(nearest: NearestDatabase, address: Address): Promise<Found> {
  const { row, isCurrent } = await nearest.first<FoundRow>(findAt(address));
  return { found: toFound(row), isCurrent };
}

function toFound(row: FoundRow | null): Target | NoTarget {
  if (row === null) return { notFoundUrl: null };
  return row.id === null ? { notFoundUrl: row.not_found_url } : toTarget(row);
}

function findAt({ host, slug }: Address): Statement {
  return host === '' ? findOnService(slug) : findOnDomain(host, slug);
}

function findOnService(slug: string): Statement {
  const { folded, former } = keysOf(slug);
  return former === null
    ? { sql: FIND_ON_SERVICE, params: [folded, slug] }
    : { sql: FIND_ON_SERVICE_OF_OLD, params: [folded, slug, former] };
}

function findOnDomain(host: string, slug: string): Statement {
  const { folded, exact, former } = keysOf(slug);
  return { sql: FIND_ON_DOMAIN, params: [host, folded, slug, exact, former] };
}

/** Finds the targets of some addresses, in their order. */
export async function findTargets(db: Database, addresses: readonly Address[]): Promise<(Target | null)[]> {
  const [rows] = await db.batch<[TargetRow & { readonly position: number }]>([
    {
      sql: `SELECT address.key AS position, ${TARGET_COLUMNS} FROM json_each(?1) AS address
            JOIN links ON links.id =
              ${idAt(
                `address.value ->> 'host'`,
                ['folded', 'exact', 'former'].map((key) => `address.value ->> '${key}'`),
                `address.value ->> 'slug'`,
              )}`,
      params: [JSON.stringify(addresses.map(toItem))],
    },
  ]);
  const found = new Map(rows.map((row) => [row.position, toTarget(row)]));
  return addresses.map((_, position) => found.get(position) ?? null);
}

function toItem({ host, slug }: Address) {
  return { host, slug, ...keysOf(slug) };
}

/** The part of a link that a redirect needs. */
export function toTarget(row: TargetRow): Target {
  const isBlocked = row.is_blocked === 1;
  const ending: Ending | null =
    row.deleted_at !== null ? 'deleted' : row.disabled_at !== null ? 'disabled' : isBlocked ? 'blocked' : null;
  return {
    linkId: row.id,
    clientId: row.client_id,
    ...toVisitorContent(row),
    ending,
    revision: row.revision,
  };
}
