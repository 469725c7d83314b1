import type { Statement } from '../../database/database.ts';
import { listsOf } from '../../database/json-lists.ts';
import { insertLinkEvents } from '../events/link-event.ts';
import type { HealthState } from './finding.ts';
import { HAS_UNHEALTHY, isChecked, type FailureReason } from './unhealthy.ts';

/** The SQL of a pass: it takes hosts, reads their destinations that are due, and writes what it has found. */

/** For how long a pass has a host, longer than it works on it: then the next one may take it. */
const TAKEN_MS = 10 * 60_000;

/** Takes the hosts that are due, first those whose last turn was longest ago: no other pass requests them meanwhile. */
export const takeHosts = (now: number, most: number): Statement => ({
  sql: `UPDATE checked_hosts SET not_before_at = ?1 + ${TAKEN_MS} WHERE host IN (
      SELECT host FROM checked_hosts WHERE due_at <= ?1 AND not_before_at <= ?1 ORDER BY not_before_at, host LIMIT ?2)
    RETURNING host`,
  params: [now, most],
});

/** A destination of a client. Each client has a state of its own, from its own first check on. */
export interface CheckRow {
  readonly client_id: string;
  readonly url_hash: string;
  readonly url: string;
  readonly checked_at: number | null;
  readonly reason: FailureReason | null;
  readonly status: number | null;
  readonly failing_since: number | null;
  readonly unhealthy_since: number | null;
  /** 0 if no link leads to it that is checked. */
  readonly is_wanted: number;
}

/** Selects destinations of a host that are due, each with all clients that have it: it is requested once for them. */
export const selectDue = (host: string, now: number, most: number): Statement => ({
  sql: `SELECT c.client_id, c.url_hash, c.url, c.checked_at, c.reason, c.status, c.failing_since, c.unhealthy_since,
      EXISTS (SELECT 1 FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
        WHERE k.client_id = c.client_id AND k.url_hash = c.url_hash AND ${isChecked('?2')}) AS is_wanted
    FROM (SELECT DISTINCT url_hash FROM (
        SELECT url_hash FROM destination_checks INDEXED BY destination_checks_due
        WHERE host = ?1 AND due_at <= ?2 ORDER BY due_at LIMIT ?3)) AS due
    CROSS JOIN destination_checks c INDEXED BY destination_checks_by_hash ON c.url_hash = due.url_hash`,
  params: [host, now, most],
});

/** The new state of a destination of a client. */
interface Checked {
  readonly row: CheckRow;
  readonly state: HealthState;
  readonly dueAt: number;
}

/** A host after its turn, and the instant before which it may not be requested. */
interface Released {
  readonly host: string;
  readonly notBeforeAt: number;
}

interface Outcome {
  readonly checked: readonly Checked[];
  /** The destinations to which no link leads that is checked. */
  readonly unwanted: readonly CheckRow[];
  readonly released: readonly Released[];
  readonly now: number;
}

const TURNED = `SELECT k.link_id FROM json_each(?1) AS item
  CROSS JOIN destination_checks c ON c.client_id = item.value ->> 'client' AND c.url_hash = item.value ->> 'hash'
  CROSS JOIN link_checks k ON k.client_id = c.client_id AND k.url_hash = c.url_hash
  WHERE c.turned_at = ?2`;

/** The most links for which one write sends the same event, so that it stays short. */
const MAX_EVENTS = 2000;

const UNHEALTHY_EVENTS = insertLinkEvents(
  'link.unhealthy',
  `FROM links l WHERE l.id IN (${TURNED} AND c.unhealthy_since IS NOT NULL) AND ${isChecked('?2')} AND NOT EXISTS (
    SELECT 1 FROM link_checks k CROSS JOIN destination_checks c ON c.client_id = k.client_id AND c.url_hash = k.url_hash
    WHERE k.link_id = l.id AND c.unhealthy_since IS NOT NULL AND c.turned_at < ?2)`,
  '?2',
  { id: `'evt_u' || l.id || '_' || ?2`, most: MAX_EVENTS },
);

const RECOVERED_EVENTS = insertLinkEvents(
  'link.recovered',
  `FROM links l WHERE l.id IN (${TURNED} AND c.unhealthy_since IS NULL) AND ${isChecked('?2')} AND NOT ${HAS_UNHEALTHY}`,
  '?2',
  { id: `'evt_h' || l.id || '_' || ?2`, most: MAX_EVENTS },
);

/**
 * Writes the results of a pass with the events of links that they change, and gives its hosts back. A destination that
 * was checked by another pass meanwhile keeps what that has found.
 */
export function writeChecked({ checked, unwanted, released, now }: Outcome): Statement[] {
  const lists = listsOf(
    checked.map(({ row, state, dueAt }) => ({
      client: row.client_id,
      hash: row.url_hash,
      before: row.checked_at,
      due: dueAt,
      reason: state.reason,
      status: state.status,
      failing: state.failingSince,
      unhealthy: state.unhealthySince,
    })),
  );
  const isTurned = checked.some(({ row, state }) => (row.unhealthy_since === null) !== (state.unhealthySince === null));
  const removed = listsOf(unwanted.map(({ client_id, url_hash }) => [client_id, url_hash]));
  const pairs = `IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`;
  return [
    ...lists.map((found) => ({
      sql: `UPDATE destination_checks AS c SET checked_at = ?2, due_at = item.value ->> 'due',
          reason = item.value ->> 'reason', status = item.value ->> 'status', failing_since = item.value ->> 'failing',
          unhealthy_since = item.value ->> 'unhealthy',
          turned_at = CASE WHEN (c.unhealthy_since IS NULL) <> (item.value ->> 'unhealthy' IS NULL) THEN ?2 ELSE c.turned_at END
        FROM json_each(?1) AS item
        WHERE c.client_id = item.value ->> 'client' AND c.url_hash = item.value ->> 'hash'
          AND c.checked_at IS item.value ->> 'before'`,
      params: [found, now],
    })),
    // After all states are written, since a link may have destinations in several lists.
    ...(isTurned ? lists : []).flatMap((found) =>
      [UNHEALTHY_EVENTS, RECOVERED_EVENTS].map((sql) => ({ sql, params: [found, now], returnsEvents: true as const })),
    ),
    ...removed.flatMap((list) =>
      ['destination_checks', 'link_checks'].map((table) => ({
        sql: `DELETE FROM ${table} WHERE (client_id, url_hash) ${pairs}`,
        params: [list],
      })),
    ),
    {
      sql: `UPDATE checked_hosts AS h SET not_before_at = item.value ->> 'notBeforeAt', due_at = coalesce((
          SELECT min(due_at) FROM destination_checks c WHERE c.host = h.host), 0)
        FROM json_each(?1) AS item WHERE h.host = item.value ->> 'host'`,
      params: [JSON.stringify(released)],
    },
    {
      sql: `DELETE FROM checked_hosts WHERE host IN (SELECT value ->> 'host' FROM json_each(?1))
        AND NOT EXISTS (SELECT 1 FROM destination_checks c WHERE c.host = checked_hosts.host)`,
      params: [JSON.stringify(released)],
    },
  ];
}
