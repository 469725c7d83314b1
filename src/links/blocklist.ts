import { hostnameOf, parseDomainName } from '../domains/host.ts';
import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import { carriedIpv4, carriersOf, isInSixToFour, shorterSixToFour } from './ipv4-forms.ts';

/** Hosts that no link may lead to, by the operator's word: each with everything below it. */

/** A host that is blocked. `blockedAt` is milliseconds since the epoch. */
export interface BlockedHost {
  readonly host: string;
  readonly blockedAt: number;
}

/**
 * Reads a host that is to be blocked: a domain name of two labels or more, or an IP address, in any spelling that a URL
 * may have of it. Null where it is neither.
 */
export function parseBlockedHost(text: string): string | null {
  const name = parseDomainName(text);
  if (name !== null) return name;
  const address = URL.parse(`http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`);
  if (address === null || address.href !== `http://${address.hostname}/`) return null;
  const hostname = hostnameOf(address);
  return /^(\d+\.\d+\.\d+\.\d+|\[.+\])$/.test(hostname) ? (carriedIpv4(hostname) ?? hostname) : null;
}

/** A host in each form that a target may have of it. */
function formsOf(host: string): readonly string[] {
  const isIpv4 = /^\d+(\.\d+){3}$/.test(host);
  return isIpv4 ? [host, ...carriersOf(host)] : [host];
}

/** Blocks a host, from now on and for the links that are there. False where it was blocked. */
export async function blockHost(db: Database, host: string): Promise<boolean> {
  const [rows] = await db.batch<[unknown]>([
    {
      sql: `INSERT INTO blocked_hosts (host, blocked_at) SELECT value, ?2 FROM json_each(?1) WHERE true
            ON CONFLICT DO NOTHING RETURNING host`,
      params: [JSON.stringify(formsOf(host)), Date.now()],
    },
  ]);
  return rows.length > 0;
}

/** Lets links lead to a host again. False where it was not blocked itself. */
export async function unblockHost(db: Database, host: string): Promise<boolean> {
  const [rows] = await db.batch<[unknown]>([
    {
      sql: `DELETE FROM blocked_hosts WHERE host IN (SELECT value FROM json_each(?1)) RETURNING host`,
      params: [JSON.stringify(formsOf(host))],
    },
  ]);
  return rows.length > 0;
}

export async function listBlockedHosts(db: Database): Promise<readonly BlockedHost[]> {
  const [rows] = await db.batch<[{ readonly host: string; readonly blocked_at: number }]>([
    { sql: `SELECT host, blocked_at FROM blocked_hosts ORDER BY host`, params: [] },
  ]);
  const carriers = new Set(rows.flatMap(({ host }) => formsOf(host).slice(1)));
  return rows.filter(({ host }) => !carriers.has(host)).map(({ host, blocked_at: blockedAt }) => ({ host, blockedAt }));
}

/**
 * A condition in SQL: whether a host is blocked, by itself or by one above it. Costs one row where none is.
 *
 * @param host an expression for a host name as `hostnameOf` gives it, or NULL
 */
export function isHostBlocked(host: string): string {
  return `(EXISTS (SELECT 1 FROM blocked_hosts) AND EXISTS (
    WITH RECURSIVE upward (name) AS (
      SELECT ${host} UNION ALL SELECT substr(name, instr(name, '.') + 1) FROM upward WHERE instr(name, '.') > 0
      UNION ALL ${shorterSixToFour('upward')}
    )
    SELECT 1 FROM upward CROSS JOIN blocked_hosts b ON b.host = upward.name))`;
}

/**
 * The same for a target as it is stored: a URL as the URL standard serialises it, with a path and without a user.
 *
 * @param url an expression for a URL, or NULL
 */
export function isTargetBlocked(url: string): string {
  return isHostBlocked(hostOf(url));
}

/**
 * A condition in SQL, and its parameter: whether the target in a column `url` leads to a host, or to one below it.
 *
 * @param place where the parameter is, such as `?1`
 */
export function leadsTo(host: string, place: string): { readonly condition: string; readonly param: string } {
  // A look for the text alone spares most links the rest.
  const condition = `EXISTS (SELECT 1 FROM json_each(${place}) AS form WHERE instr(url, form.value) > 0
    AND (substr('.' || ${hostOf('url')}, -1 - length(form.value)) = '.' || form.value
      OR ${isInSixToFour(hostOf('url'), 'form.value')}))`;
  return { condition, param: JSON.stringify(formsOf(host)) };
}

/** The host of such a target, in SQL. */
function hostOf(url: string): string {
  // SQLite takes longer to compile a long condition than to judge it, so this stays short. Scheme and slashes go first.
  const rest = `ltrim(substr(${url}, 6), ':/')`;
  const authority = `substr(${rest}, 1, instr(${rest}, '/') - 1)`;
  // An IPv6 address has colons too, but ends in a bracket.
  const host = `CASE WHEN instr(${authority}, ':') > 0 THEN rtrim(rtrim(${authority}, '0123456789'), ':') ELSE ${authority} END`;
  return `rtrim(${host}, '.')`;
}

/** @param field the field that names the target */
export function blockedHost(field = 'url'): AppError {
  const sentence = 'leads to a host that the operator of this service has blocked.';
  return new AppError('blocked_host', `${field} ${sentence}`, {
    faults: [{ field, sentence: `${field} ${sentence}` }],
  });
}
