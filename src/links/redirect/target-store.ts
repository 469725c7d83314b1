import type { Database, Statement } from '../../database/database.ts';
import type { NearestDatabase } from '../../database/nearest-database.ts';
import { hostnameOf } from '../../network/hosts.ts';
import { isTargetBlocked } from '../../targets/blocklist.ts';
import type { Extras } from './extras.ts';
import { blockedHostsOf } from '../destinations/destination-hosts.ts';
import {
  toVisitorContent,
  toVisitorExtras,
  visitorColumns,
  type VisitorExtras,
  type VisitorRow,
} from '../fields/visitors.ts';
import type { Address, Ending, NoTarget, Target } from '../link.ts';
import { keysOf } from '../slugs/slug.ts';
import { SELECT_UNWRITTEN, type UnwrittenRow } from './unwritten-entries.ts';

export interface TargetRow extends VisitorRow {
  readonly id: string;
  readonly client_id: string;
  readonly disabled_at: number | null;
  readonly deleted_at: number | null;
  readonly revision: number;
  readonly created_at: number;
  readonly limited_at: number | null;
  readonly password_at: number | null;
  /** The hosts of its destinations that the operator has blocked, as a JSON array; null if there are none. */
  readonly blocked_hosts: string | null;
}

/** The columns of a `TargetRow`, of links `links` or by another name. */
export const targetColumns = (links: string): string =>
  ['id', 'client_id', 'disabled_at', 'deleted_at', 'revision', 'created_at', 'limited_at', 'password_at']
    .map((name) => `${links}.${name}`)
    .join(', ') + `, ${visitorColumns(links)}, ${blockedHostsOf(links)} AS blocked_hosts`;

const TARGET_COLUMNS = targetColumns('links');

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
/** Where the domain whose host is `?1` redirects visitors who find no link. */
const NOT_FOUND_URL = `SELECT not_found_url FROM domains
  WHERE host = ?1 AND status <> 'pending' AND NOT ${isTargetBlocked('not_found_url')}`;

const FIND_ON_DOMAIN = `
  SELECT ${TARGET_COLUMNS}, CASE WHEN links.id IS NULL THEN (${NOT_FOUND_URL}) END AS not_found_url
  FROM (SELECT 1) LEFT JOIN links ON links.id = ${idAt('?1', ['?2', '?4', '?5'], '?3')}`;

type FoundRow = TargetRow | { readonly id: null; readonly not_found_url: string | null };

/** The result of a look-up of an address. */
export interface Found {
  readonly found: Target | NoTarget;
  /** True if it comes from the primary: a replica can lag behind. */
  readonly isCurrent: boolean;
}

/** Finds the target of an address. If there is no link, the same query returns where the domain redirects. */
export async function findTarget(db: Database, address: Address): Promise<Target | NoTarget> {
  return toFound(await db.first<FoundRow>(findAt(address)));
}

/**
 * The target at one of some slugs of a custom domain; of several, that of the first. If there is none, the same round trip
 * returns where the domain redirects.
 *
 * @param slugs the first is that of the whole path, or null; all others count only for a link that passes paths on
 */
export async function findAmong(
  db: Database,
  host: string,
  [whole, ...above]: readonly [string | null, ...string[]],
): Promise<{ readonly slug: string; readonly target: Target } | NoTarget> {
  const slugs = [...(whole === null ? [] : [whole]), ...above];
  const addresses = slugs.map((slug) => ({ host, slug }));
  const [rows, [none]] = await db.batch<[PositionedRow, NoTargetRow]>([selectTargets(addresses), selectNoTarget(host)]);
  const targets = inOrder(addresses, rows);
  const found = targets.flatMap((target, index) => {
    const slug = slugs[index]!;
    return target !== null && (slug === whole || target.extras?.forwardPath === true) ? [{ slug, target }] : [];
  });
  return found[0] ?? { notFoundUrl: none?.not_found_url ?? null };
}

/** The target of an address, and the hash of its password, which nothing remembers. */
export async function findLocked(
  db: Database,
  address: Address,
): Promise<{ readonly found: Target | NoTarget; readonly passwordHash: string | null }> {
  const [[row], [lock]] = await db.batch<[FoundRow, { readonly password_hash: string | null }]>([
    findAt(address),
    {
      sql: `SELECT password_hash FROM links WHERE id = ${idAt(`?1`, ['?2', '?3', '?4'], '?5')}`,
      params: [address.host, ...Object.values(keysOf(address.slug)), address.slug],
    },
  ]);
  return { found: toFound(row ?? null), passwordHash: lock?.password_hash ?? null };
}

/** A link with the instant of its creation, in milliseconds since the epoch; null if there is none at the address. */
export async function findInspected(
  db: Database,
  address: Address,
): Promise<{ readonly target: Target; readonly createdAt: number } | null> {
  const row = await db.first<FoundRow>(findAt(address));
  return row === null || row.id === null ? null : { target: toTarget(row), createdAt: row.created_at };
}

/** Like `findTarget`, in the nearest copy of the database. */
export async function findNearestTarget(nearest: NearestDatabase, address: Address): Promise<Found> {
  const { row, isCurrent } = await nearest.first<FoundRow>(findAt(address));
  return { found: toFound(row), isCurrent };
}

/** Where a custom domain redirects visitors who find no link. */
export async function findNoTarget(db: Database, host: string): Promise<NoTarget> {
  const row = await db.first<NoTargetRow>(selectNoTarget(host));
  return { notFoundUrl: row?.not_found_url ?? null };
}

interface NoTargetRow {
  readonly not_found_url: string | null;
}

function selectNoTarget(host: string): Statement {
  return { sql: NOT_FOUND_URL, params: [host] };
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
  const [rows] = await db.batch<[PositionedRow]>([selectTargets(addresses)]);
  return inOrder(addresses, rows);
}

/** Like `findTargets`, with the keys of KV that may have an old state, in the same round trip. */
export async function findTargetsToCheck(
  db: Database,
  addresses: readonly Address[],
): Promise<{ readonly targets: readonly (Target | null)[]; readonly unwritten: UnwrittenRow | undefined }> {
  const [rows, [unwritten]] = await db.batch<[PositionedRow, UnwrittenRow]>([
    selectTargets(addresses),
    SELECT_UNWRITTEN,
  ]);
  return { targets: inOrder(addresses, rows), unwritten };
}

type PositionedRow = TargetRow & { readonly position: number };

function selectTargets(addresses: readonly Address[]): Statement {
  return {
    sql: `SELECT address.key AS position, ${TARGET_COLUMNS} FROM json_each(?1) AS address
            JOIN links ON links.id =
              ${idAt(
                `address.value ->> 'host'`,
                ['folded', 'exact', 'former'].map((key) => `address.value ->> '${key}'`),
                `address.value ->> 'slug'`,
              )}`,
    params: [JSON.stringify(addresses.map(toItem))],
  };
}

function inOrder(addresses: readonly Address[], rows: readonly PositionedRow[]): (Target | null)[] {
  const found = new Map(rows.map((row) => [row.position, toTarget(row)]));
  return addresses.map((_, position) => found.get(position) ?? null);
}

function toItem({ host, slug }: Address) {
  return { host, slug, ...keysOf(slug) };
}

/** The part of a link that a redirect needs. */
export function toTarget(row: TargetRow): Target {
  const blocked: readonly string[] = row.blocked_hosts === null ? [] : JSON.parse(row.blocked_hosts);
  const isBlocked = blocked.length > 0 && blocked.includes(hostnameOf(new URL(row.url)));
  const ending: Ending | null =
    row.deleted_at !== null ? 'deleted' : row.disabled_at !== null ? 'disabled' : isBlocked ? 'blocked' : null;
  const content = toVisitorContent(row);
  const fields = toVisitorExtras(row);
  const isPlain = Object.keys(fields).length === 0 && row.password_at === null;
  return {
    linkId: row.id,
    clientId: row.client_id,
    ...content,
    ending,
    extras: isPlain ? null : toExtras(row, fields, blocked),
    revision: row.revision,
  };
}

function toExtras(row: TargetRow, fields: VisitorExtras, blocked: readonly string[]): Extras {
  return {
    ...fields,
    ...(row.max_clicks !== null && { limitedAt: row.limited_at ?? row.created_at }),
    ...(row.password_at !== null && { passwordAt: row.password_at }),
    ...(blocked.length > 0 && { blockedHosts: blocked }),
  };
}
