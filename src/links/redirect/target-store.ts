import type { Database, Statement } from '../../database/database.ts';
import type { NearestDatabase } from '../../database/nearest-database.ts';
import { lazy } from '../../isolate/lazy.ts';
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
import type { Address, Ending, FoundTarget, NoTarget, Target } from '../link.ts';
import { keysOf } from '../slugs/slug.ts';
import type { Prefix } from './slug-path.ts';

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

/** Where the domain whose host is `?1` redirects visitors who find no link. */
const NOT_FOUND_URL = `SELECT not_found_url FROM domains
  WHERE host = ?1 AND status <> 'pending' AND NOT ${isTargetBlocked('not_found_url')}`;

/** True if the domain whose host is `?1` trims no paths. */
const IS_UNTRIMMED = `SELECT NOT tolerant FROM domains WHERE host = ?1 AND status <> 'pending'`;

/** A requested path, and the slugs that it can mean on its host. */
export interface RequestedPath {
  /** '' for the service's own host. */
  readonly host: string;
  /** Percent-encoded, with its slash. */
  readonly pathname: string;
  /** The slug of the path itself; null if it can be none. */
  readonly slug: string | null;
  /** The longest first; they count for links that forward their path, on custom domains. */
  readonly prefixes: readonly Prefix[];
  /** Without what text programs add; null if that is the same or no slug. It counts if nothing else is found. */
  readonly trimmed: string | null;
}

/** A path that means one slug, in any case. */
const pathAt = ({ host, slug }: Address): RequestedPath => ({
  host,
  pathname: '',
  slug,
  prefixes: [],
  trimmed: null,
});

/** The result of a look-up of a path. */
export interface Found {
  readonly found: FoundTarget | NoTarget;
  /** True if it comes from the primary: a replica can lag behind. */
  readonly isCurrent: boolean;
}

/**
 * The statements that find a link with these columns. Compiling takes longer than running, so there are three: for a slug
 * with one key, for others, and for domains, which count while they serve links: while active, and while lost.
 */
const findersOf = (columns: string) => ({
  key: `SELECT ${columns}, address.slug AS found_slug, 0 AS rank FROM addresses AS address
    CROSS JOIN links ON links.id = address.link_id WHERE address.domain_id = '' AND address.folded = ?1`,
  keys: `SELECT ${columns}, address.slug AS found_slug, 0 AS rank
    FROM json_each(?1) AS item
    CROSS JOIN addresses AS address ON address.domain_id = '' AND address.folded = item.value ->> 'key'
    CROSS JOIN links ON links.id = address.link_id
    ${FIRST_ITEM}`,
  onDomain: `SELECT ${columns}, found.slug AS found_slug, found.rank,
      CASE WHEN links.id IS NULL THEN (${NOT_FOUND_URL}) END AS not_found_url,
      CASE WHEN links.id IS NULL THEN (${IS_UNTRIMMED}) END AS is_untrimmed
    FROM (SELECT 1) LEFT JOIN (
      SELECT address.link_id, address.slug, item.value ->> 'rank' AS rank
      FROM domains CROSS JOIN json_each(?2) AS item
      CROSS JOIN addresses AS address ON address.domain_id = domains.id AND address.folded = item.value ->> 'key'
      WHERE domains.host = ?1 AND domains.status <> 'pending'
        AND (NOT domains.case_sensitive OR item.value ->> 'isExact' OR address.slug = item.value ->> 'slug')
        AND (domains.tolerant OR NOT item.value ->> 'isTrimmed')
        AND (NOT item.value ->> 'isAbove' OR (SELECT forward_path FROM links WHERE links.id = address.link_id))
      ${FIRST_ITEM}
    ) AS found LEFT JOIN links ON links.id = found.link_id`,
});

const FIRST_ITEM = `ORDER BY item.value ->> 'rank', address.slug <> item.value ->> 'slug', item.key LIMIT 1`;

const FIND = findersOf(TARGET_COLUMNS);
/** For links with a password. */
const findWithHash = lazy(() => findersOf(`${TARGET_COLUMNS}, links.password_hash`));

type FoundRow =
  | (TargetRow & { readonly found_slug: string; readonly rank: number; readonly password_hash?: string | null })
  | { readonly id: null; readonly not_found_url: string | null; readonly is_untrimmed: number | null };

/** Finds the link of a path. If there is none, the same query returns where the domain redirects. */
export async function findTarget(db: Database, path: RequestedPath): Promise<FoundTarget | NoTarget> {
  return toFound(await db.first<FoundRow>(findAt(path)), path);
}

/** The target of an address, and the hash of its password, which nothing remembers. */
export async function findLocked(
  db: Database,
  address: Address,
): Promise<{ readonly found: Target | NoTarget; readonly passwordHash: string | null }> {
  const row = await db.first<FoundRow>(findAt(pathAt(address), findWithHash()));
  if (row === null || row.id === null)
    return { found: { notFoundUrl: row?.not_found_url ?? null }, passwordHash: null };
  return { found: toTarget(row), passwordHash: row.password_hash ?? null };
}

/** A link with the instant of its creation, in milliseconds since the epoch; null if there is none at the address. */
export async function findInspected(
  db: Database,
  address: Address,
): Promise<{ readonly target: Target; readonly createdAt: number } | null> {
  const row = await db.first<FoundRow>(findAt(pathAt(address)));
  return row === null || row.id === null ? null : { target: toTarget(row), createdAt: row.created_at };
}

/** `findTarget`, in the nearest copy of the database. */
export async function findNearestTarget(nearest: NearestDatabase, path: RequestedPath): Promise<Found> {
  const { row, isCurrent } = await nearest.first<FoundRow>(findAt(path));
  return { found: toFound(row, path), isCurrent };
}

function toFound(row: FoundRow | null, path: RequestedPath): FoundTarget | NoTarget {
  if (row === null) return { notFoundUrl: null };
  if (row.id === null) return { notFoundUrl: row.not_found_url, ...(row.is_untrimmed === 1 && { isUntrimmed: true }) };
  return { slug: row.found_slug, target: toTarget(row), prefix: path.prefixes[row.rank - 1] ?? null };
}

function findAt(path: RequestedPath, find = FIND): Statement {
  const items = itemsOf(path);
  if (path.host !== '') return { sql: find.onDomain, params: [path.host, JSON.stringify(items)] };
  const [first, ...others] = items.filter(({ isCaseless }) => isCaseless);
  return others.length === 0
    ? { sql: find.key, params: [first?.key ?? null] }
    : { sql: find.keys, params: [JSON.stringify([first, ...others])] };
}

/** A key under which the link of a path may be. */
interface Item {
  readonly key: string;
  readonly slug: string;
  /** The place of the slug among those that the path can mean: the lower counts before. */
  readonly rank: number;
  readonly isAbove: boolean;
  readonly isTrimmed: boolean;
  /** True for a key on hosts where slugs may differ in case. */
  readonly isExact: boolean;
  /** True for a key on all other hosts. */
  readonly isCaseless: boolean;
}

function itemsOf({ slug: whole, prefixes, trimmed }: RequestedPath): Item[] {
  return [whole, ...prefixes.map(({ slug }) => slug), trimmed].flatMap((slug, rank) => {
    if (slug === null) return [];
    const { exact, folded, former } = keysOf(slug);
    const isTrimmed = rank > prefixes.length;
    const isAbove = rank > 0 && !isTrimmed;
    const of = { slug, rank, isAbove, isTrimmed };
    return [...new Set([exact, folded, former])].flatMap((key) =>
      key === null
        ? []
        : [{ ...of, key, isExact: key === exact, isCaseless: key !== exact || key === folded || key === former }],
    );
  });
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
