import { hostnameOf, parseDomainName } from '../network/hosts.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { faultAt } from './destination.ts';
import { carriedIpv4, carriedIpv4Of } from './ipv4-forms.ts';

/** The hosts that the operator has blocked: no link may lead to them or to a host below them. */

/** A host that is blocked. `blockedAt` is milliseconds since the epoch. */
interface BlockedHost {
  readonly host: string;
  readonly blockedAt: number;
}

/**
 * Reads a host that is to be blocked: a domain name of two or more labels, or an IP address, in any spelling that a URL
 * allows. Null if it is neither.
 */
export function parseBlockedHost(text: string): string | null {
  const name = parseDomainName(text);
  if (name !== null) return name;
  const address = URL.parse(`http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`);
  if (address === null || address.href !== `http://${address.hostname}/`) return null;
  const hostname = hostnameOf(address);
  return /^(\d+\.\d+\.\d+\.\d+|\[.+\])$/.test(hostname) ? (carriedIpv4(hostname) ?? hostname) : null;
}

/** Blocks a host, for new and existing links. Returns false if it was blocked before. */
export async function blockHost(db: Database, host: string): Promise<boolean> {
  const row = await db.first({
    sql: `INSERT INTO blocked_hosts (host, blocked_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING host`,
    params: [host, Date.now()],
  });
  return row !== null;
}

/** Unblocks a host. Returns false if the host itself was not blocked. */
export async function unblockHost(db: Database, host: string): Promise<boolean> {
  const [rows] = await db.batch<[unknown]>([
    {
      // Earlier versions stored the forms of an IPv4 address too.
      sql: `DELETE FROM blocked_hosts WHERE host = ?1 OR ${carriedIpv4Of('host')} = ?1 RETURNING host`,
      params: [host],
    },
  ]);
  return rows.length > 0;
}

export async function listBlockedHosts(db: Database): Promise<readonly BlockedHost[]> {
  const [rows] = await db.batch<[{ readonly host: string; readonly blocked_at: number }]>([
    {
      sql: `SELECT host, blocked_at FROM blocked_hosts b
            WHERE NOT EXISTS (SELECT 1 FROM blocked_hosts WHERE host = ${carriedIpv4Of('b.host')}) ORDER BY host`,
      params: [],
    },
  ]);
  return rows.map(({ host, blocked_at: blockedAt }) => ({ host, blockedAt }));
}

/** True if a host, or a host above it, is blocked. Throws `store_unavailable`. */
export async function isBlocked(db: Database, host: string): Promise<boolean> {
  const row = await db.first<{ readonly is_blocked: number }>({
    sql: `SELECT ${isHostBlocked('?1')} AS is_blocked`,
    params: [host],
  });
  return row?.is_blocked === 1;
}

/**
 * The number of characters of a host that are checked, from its end: one more than a domain or a blocked host may have,
 * so that they say whether a longer host is below one.
 */
export const MAX_CHECKED_HOST = 254;

/**
 * A condition in SQL: whether a host, or a host above it, is blocked. Costs one row if no host is.
 *
 * @param host an expression for a host name as `hostnameOf` gives it, or NULL
 */
export function isHostBlocked(host: string): string {
  return `(EXISTS (SELECT 1 FROM blocked_hosts) AND EXISTS (
    WITH RECURSIVE upward (name) AS (
      SELECT substr(${host}, -${MAX_CHECKED_HOST}) UNION ALL SELECT substr(name, instr(name, '.') + 1) FROM upward WHERE instr(name, '.') > 0
    )
    SELECT 1 FROM upward CROSS JOIN blocked_hosts b ON b.host IN (name, ${carriedIpv4Of('name')})))`;
}

/**
 * Like `isHostBlocked`, for a stored target: a URL as the URL standard serialises it, with a path and without a user.
 *
 * @param url an expression for a URL, or NULL
 */
export function isTargetBlocked(url: string): string {
  return isHostBlocked(hostOf(url));
}

/**
 * A condition in SQL: whether the target in a column `url` leads to a host or to one below it.
 *
 * @param host the parameter that holds the host, such as `?1`
 */
export function leadsTo(host: string): string {
  // Searching for the text alone rules out most links cheaply.
  return `(instr(url, ${host}) > 0 OR instr(url, '://[') > 0) AND EXISTS (
    SELECT 1 FROM (SELECT ${hostOf('url')} AS host) WHERE ${isHostAtOrBelow('host', host)})`;
}

/** True if a host is another one, or one below it, in SQL. */
export function isHostAtOrBelow(it: string, host: string): string {
  return `(substr('.' || ${it}, -1 - length(${host})) = '.' || ${host} OR ${carriedIpv4Of(it)} = ${host})`;
}

const isOfWebSql = (url: string) => `substr(${url}, 1, 6) IN ('http:/', 'https:')`;

/** The host of such a target, in SQL; NULL for a scheme beside http and https, after which there is none. */
export function hostOf(url: string): string {
  // Compiling a long condition takes SQLite longer than evaluating it, so this stays short. Scheme and slashes are cut
  // off first.
  const rest = `ltrim(substr(${url}, 6), ':/')`;
  // The host ends before the port or the path; an IPv6 address, which has colons too, ends with its bracket.
  const parted = `CASE WHEN ${rest} GLOB '[[]*' THEN replace(${rest}, ']', ']/') ELSE replace(${rest}, ':', '/') END`;
  return `iif(${isOfWebSql(url)}, rtrim(substr(${rest}, 1, instr(${parted}, '/') - 1), '.'), NULL)`;
}

/** @param field the field that names the target */
export function blockedHost(field = 'url'): AppError {
  const complaint = 'leads to a host that the operator of this service has blocked.';
  return new AppError('blocked_host', `${field} ${complaint}`, { faults: [faultAt(field, complaint)] });
}
