import type { Statement } from '../../database/database.ts';
import { listsOf } from '../../database/json-lists.ts';
import { insertLinkEvents } from '../events/link-event.ts';
import type { ContentRow } from '../fields/content.ts';
import { HAS_UNHEALTHY, isChecked } from './unhealthy.ts';

/** The SQL that finds the destinations that are to be checked: the links of each client are read in turns. */

/** One look into two empty tables while no destinations are checked, and none were. */
export const IS_USED: Statement = {
  sql: `SELECT EXISTS (SELECT 1 FROM check_sweeps) OR EXISTS (
      SELECT 1 FROM links INDEXED BY links_checked WHERE check_destination = 1 AND deleted_at IS NULL
    ) OR EXISTS (SELECT 1 FROM checked_hosts) AS is_used`,
  params: [],
};

/** The fields with the destinations of an active link. */
export const CHECKED_FIELDS = ['url', 'rules', 'variants', 'fallback'] as const satisfies readonly (keyof ContentRow)[];

const CHECKED_LINKS = `links INDEXED BY links_checked WHERE check_destination = 1 AND deleted_at IS NULL`;

/** Adds the clients where single links are checked. Reads one row for each of them. */
export const ADD_CLIENTS: Statement = {
  sql: `WITH RECURSIVE client (id) AS (
      SELECT min(client_id) FROM ${CHECKED_LINKS}
      UNION ALL SELECT (SELECT min(client_id) FROM ${CHECKED_LINKS} AND client_id > client.id) FROM client WHERE id IS NOT NULL)
    INSERT INTO check_sweeps (client_id, is_whole) SELECT id, 0 FROM client WHERE id IS NOT NULL
    ON CONFLICT DO NOTHING`,
  params: [],
};

/** The progress of a sweep through the links of a client, oldest first. */
export interface SweepRow {
  readonly client_id: string;
  readonly is_whole: number;
  readonly begun_at: number;
  readonly after_at: number;
  readonly after_id: string;
}

/** Selects the clients whose links are to be read: first those whose sweep was longest ago. */
export const selectSweeps = (endedBefore: number, most: number): Statement => ({
  sql: `SELECT client_id, is_whole, begun_at, after_at, after_id FROM check_sweeps
    WHERE begun_at > ended_at OR ended_at < ?1 ORDER BY begun_at > ended_at DESC, ended_at LIMIT ?2`,
  params: [endedBefore, most],
});

/** A link of a sweep, with the hashes of the destinations that are checked for it, as a JSON list. */
export interface SweptRow extends Pick<ContentRow, (typeof CHECKED_FIELDS)[number]> {
  readonly id: string;
  readonly created_at: number;
  readonly revision: number;
  readonly is_checked: number;
  readonly hashes: string;
}

export const selectSwept = (
  { client_id, is_whole, after_at, after_id }: SweepRow,
  now: number,
  most: number,
): Statement => ({
  sql: `SELECT l.id, l.created_at, l.revision, ${CHECKED_FIELDS.map((name) => `l.${name}`).join(', ')},
      ${isChecked('?4')} AS is_checked, (SELECT json_group_array(k.url_hash) FROM link_checks k WHERE k.link_id = l.id) AS hashes
    FROM links l INDEXED BY ${is_whole === 1 ? 'links_live' : 'links_checked'}
    WHERE l.client_id = ?1 AND l.deleted_at IS NULL ${is_whole === 1 ? '' : 'AND l.check_destination = 1'}
      AND (l.created_at, l.id) > (?2, ?3)
    ORDER BY l.created_at, l.id LIMIT ?5`,
  params: [client_id, after_at, after_id, now, most],
});

/** The destination of a link. */
export interface LinkedDestination {
  readonly link: string;
  readonly revision: number;
  readonly hash: string;
  readonly url: string;
  readonly host: string;
}

/** The differences that a sweep has found in a page. */
interface Swept {
  readonly client: string;
  readonly added: readonly LinkedDestination[];
  /** Pairs of link and hash. */
  readonly removed: readonly (readonly [string, string])[];
  readonly now: number;
}

// A link that was edited since it was read is left to the next sweep.
const ADDED = `FROM json_each(?2) AS item CROSS JOIN links l ON l.id = item.value ->> 'link'
  WHERE l.client_id = ?1 AND l.revision = item.value ->> 'revision'`;

/**
 * Writes what a sweep has found, in batches that can be sent, since the URLs of a page may be long. A batch that is
 * written twice changes nothing. There are none for links whose destinations are known.
 */
export function writeSwept({ client, added, removed, now }: Swept): Statement[][] {
  return [
    ...listsOf(removed).map((list) => [
      {
        sql: `DELETE FROM link_checks WHERE (link_id, url_hash) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`,
        params: [list],
      },
    ]),
    ...listsOf(added).map((list) => writeAdded(client, list, now)),
  ];
}

const writeAdded = (client: string, list: string, now: number): Statement[] => [
  {
    sql: `INSERT INTO destination_checks (client_id, url_hash, url, host, due_at)
      SELECT ?1, item.value ->> 'hash', item.value ->> 'url', item.value ->> 'host', ?3 ${ADDED}
      ON CONFLICT DO NOTHING`,
    params: [client, list, now],
  },
  {
    sql: `INSERT INTO link_checks (link_id, client_id, url_hash) SELECT l.id, ?1, item.value ->> 'hash' ${ADDED}
      ON CONFLICT DO NOTHING`,
    params: [client, list],
  },
  {
    sql: `INSERT INTO checked_hosts (host, due_at, not_before_at)
      SELECT DISTINCT item.value ->> 'host', ?1, 0 FROM json_each(?2) AS item WHERE TRUE
      ON CONFLICT (host) DO UPDATE SET due_at = min(due_at, excluded.due_at)`,
    params: [now, list],
  },
  {
    sql: insertLinkEvents(
      'link.unhealthy',
      `FROM links l WHERE l.id IN (SELECT item.value ->> 'link' FROM json_each(?1) AS item) AND ${HAS_UNHEALTHY}`,
      '?2',
      // So that two sweeps at a time record one.
      { id: `'evt_u' || l.id || '_' || l.revision` },
    ),
    params: [list, now],
    returnsEvents: true,
  },
];

/** The place after which the next page of a sweep begins: the last link that was read; null if there are no more. */
type Place = Pick<SweptRow, 'created_at' | 'id'> | null;

/** Writes how far a sweep has come. */
export const moveSweep = (client: string, last: Place, now: number): Statement => ({
  sql: `UPDATE check_sweeps SET after_at = ?2, after_id = ?3,
      begun_at = CASE WHEN begun_at > ended_at THEN begun_at ELSE ?4 END, ended_at = CASE WHEN ?5 THEN ?4 ELSE ended_at END
    WHERE client_id = ?1`,
  params: [client, last?.created_at ?? 0, last?.id ?? '', now, Number(last === null)],
});

/** Removes a client none of whose links are checked, unless it has turned the checks on. */
export const removeSweep = (client: string): Statement => ({
  sql: 'DELETE FROM check_sweeps WHERE client_id = ?1 AND is_whole = 0',
  params: [client],
});
