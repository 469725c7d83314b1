import { ACTING, SOLE_CLIENT, actingParams, type Actor } from '../accounts/access.ts';
import type { Database, Param, Statement } from '../database/database.ts';
import { BEGIN_HISTORY, trimHistory } from './edit/edit-sql.ts';
import { insertLinkEvents } from './events/link-event.ts';
import { hostOf, isHostBlocked } from '../targets/blocklist.ts';
import { IS_SERVING } from './domain-conditions.ts';
import { logProblem } from '../isolate/log.ts';
import { invalidationKeyOf } from './redirect/invalidated-hosts.ts';
import type { LinkMemory } from './redirect/resolve.ts';
import { recordUnwritten } from './redirect/unwritten-entries.ts';

/** The statements about the links of a domain, for the room of domains. */

/** A condition in SQL: whether a domain has links that are not deleted. */
export function hasLinks(domainId: string): string {
  return `EXISTS (
    SELECT 1 FROM addresses JOIN links ON links.id = addresses.link_id
    WHERE addresses.domain_id = ${domainId} AND links.domain_id = addresses.domain_id AND links.deleted_at IS NULL)`;
}

/** The number of links of a domain that are not deleted, as SQL. */
export function countLinks(domainId: string): string {
  return `(
    SELECT count(DISTINCT links.id) FROM addresses JOIN links ON links.id = addresses.link_id
    WHERE addresses.domain_id = ${domainId} AND links.domain_id = addresses.domain_id AND links.deleted_at IS NULL)`;
}

/** `size` addresses of a domain in the order of `folded`, beginning at `from`. */
export interface Slice {
  readonly from: string;
  readonly size: number;
}

/**
 * Soft-deletes the links of a slice of a domain's addresses, if the actor may manage the client's domains: five
 * statements. Each link gets an entry in its history, as with a single delete.
 */
export function deleteLinksOf(domainId: string, actor: Actor, { from, size }: Slice, now: number): Statement[] {
  const params = [...actingParams(actor, 'domains:write', now), domainId, from, size];
  const isOfSlice = `l.id IN (SELECT link_id FROM addresses WHERE domain_id = ?8 AND folded >= ?9 ORDER BY folded LIMIT ?10)
    AND l.domain_id = ?8 AND l.client_id = ${SOLE_CLIENT}`;
  const isLive = `${isOfSlice} AND l.deleted_at IS NULL`;
  const isDeleted = `${isOfSlice} AND l.deleted_at = ?5 AND ${isLastEdit('?11')}`;
  const editId = crypto.randomUUID();
  return [
    { sql: `${ACTING} ${BEGIN_HISTORY} WHERE ${isLive} ON CONFLICT DO NOTHING`, params },
    {
      sql: `${ACTING}
        INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
        SELECT l.id, (SELECT max(n) + 1 FROM link_history WHERE link_id = l.id), ?5, (SELECT max(user_id) FROM acting), NULL,
          'deleted', l.url, json_object('deleted_at', json_array(NULL, ?5)), ?11
        FROM links l WHERE ${isLive}`,
      params: [...params, editId],
    },
    { sql: `${ACTING} ${trimHistory(`SELECT l.id FROM links l WHERE ${isLive}`)}`, params },
    {
      sql: `${ACTING}
        UPDATE links AS l SET deleted_at = ?5, updated_at = ?5, revision = max(revision + 1, ?5) WHERE ${isLive}`,
      params,
    },
    {
      sql: `${ACTING} ${insertLinkEvents('link.deleted', `FROM links l WHERE ${isDeleted}`, '?5')}`,
      params: [...params, editId],
      returnsEvents: true,
    },
  ];
}

/** Statements about a pending domain that becomes active in the same batch, and the values that it has in their SQL. */
interface Waiting {
  /** The beginning of each statement. */
  readonly head: string;
  /** The condition on `domains`. */
  readonly domain: string;
  readonly now: string;
  readonly userId: string;
  /** A JSON array of the service's own hosts. */
  readonly ownHosts: string;
  /** The id of the edit in the history of each link. */
  readonly editId: string;
}

/** A link that was disabled. */
export interface DisabledRow {
  readonly disabled_id: string;
}

/**
 * Disables the links that have waited for a pending domain and lead to a host of the service, the domain itself among
 * them, or to a blocked host: what was checked when they were imported can have changed. Four statements; the second
 * returns the links. Each gets an entry in its history.
 *
 * @param params those of the SQL; the last one is `editId`
 */
export function disableMisled(
  { head, domain, now, userId, ownHosts, editId }: Waiting,
  params: readonly Param[],
): Statement[] {
  const isOpen = `${isOf(domain)} AND l.disabled_at IS NULL`;
  // Only this statement checks the links, since 100,000 may wait. The others find those with its entry.
  const isMisled = `EXISTS (
    SELECT 1 FROM (SELECT ${hostOf('l.url')} AS led_to UNION ALL SELECT host FROM link_hosts WHERE link_id = l.id)
    WHERE led_to IN (SELECT value FROM json_each(${ownHosts})) OR ${isHostBlocked('led_to')}
      OR led_to = (SELECT own.host FROM domains own WHERE own.id = l.domain_id)
      OR EXISTS (SELECT 1 FROM domains own WHERE own.host = led_to AND own.${IS_SERVING}))`;
  const isDisabled = `${isOf(domain)} AND l.disabled_at = ${now} AND ${isLastEdit(editId)}`;
  return [
    {
      sql: `${head}
        INSERT INTO link_history (link_id, n, at, user_id, key_id, action, url, changes, edit_id)
        SELECT l.id, coalesce((SELECT max(n) FROM link_history WHERE link_id = l.id), 1) + 1, ${now}, ${userId}, NULL,
          'edited', l.url, json_object('disabled_at', json_array(NULL, ${now})), ${editId}
        FROM links l WHERE ${isOpen} AND ${isMisled}`,
      params,
    },
    {
      sql: `${head}
        UPDATE links AS l SET disabled_at = ${now}, updated_at = ${now}, revision = max(revision + 1, ${now})
        WHERE ${isOpen} AND ${isLastEdit(editId)} RETURNING id AS disabled_id`,
      params,
    },
    { sql: `${head} ${BEGIN_HISTORY} WHERE ${isDisabled} ON CONFLICT DO NOTHING`, params },
    { sql: `${head} ${trimHistory(`SELECT l.id FROM links l WHERE ${isDisabled}`)}`, params },
  ];
}

/**
 * Records an event about each link that `disableMisled` has disabled, after the domain has become active.
 *
 * @param domain the condition on `domains`
 */
export function recordDisabled(
  { head, domain, now, editId }: Omit<Waiting, 'userId' | 'ownHosts'>,
  params: readonly Param[],
): Statement {
  const from = `FROM links l WHERE ${isOf(domain)} AND l.disabled_at = ${now} AND ${isLastEdit(editId)}`;
  const changes = `json_object('disabled_at', json_array(NULL))`;
  return { sql: `${head} ${insertLinkEvents('link.updated', from, now, { changes })}`, params, returnsEvents: true };
}

// As the condition of the index `links_of_domain` has it.
const isOf = (domain: string): string =>
  `l.domain_id = (SELECT domains.id FROM domains WHERE ${domain}) AND l.domain_id <> '' AND l.deleted_at IS NULL`;

const isLastEdit = (editId: string): string =>
  `${editId} = (SELECT edit_id FROM link_history WHERE link_id = l.id ORDER BY n DESC LIMIT 1)`;

export interface LeftRow {
  readonly folded: string;
}

/** The first address of a domain, beginning at `from`, whose link is not deleted. */
export function selectLeft(domainId: string, actor: Actor, from: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT a.folded FROM addresses a JOIN links l ON l.id = a.link_id
      WHERE a.domain_id = ?8 AND a.folded >= ?9 AND l.domain_id = ?8 AND l.deleted_at IS NULL
        AND l.client_id = ${SOLE_CLIENT}
      ORDER BY a.folded LIMIT 1`,
    params: [...actingParams(actor, 'domains:write', now), domainId, from],
  };
}

/**
 * Forgets the links of a host, in this isolate and in KV, if it now serves other links or none. If KV takes no write, that
 * is recorded and repeated.
 */
export async function forgetHost(
  { memory, kv, db }: { readonly memory: LinkMemory; readonly kv: KVNamespace; readonly db: Database },
  host: string,
): Promise<void> {
  memory.targets.forgetAll(`${host}/`);
  memory.missing.forgetAll(host);
  await memory.invalidated.forget(kv, host).catch(async (cause: unknown) => {
    logProblem('host_not_forgotten', cause, { host });
    await recordUnwritten({ db, unwritten: memory.unwritten }, [invalidationKeyOf(host)]);
  });
}
