import type { Statement } from '../../database/database.ts';

/** The SQL of deliveries. Pairs of ids are a JSON list: `[[webhook, event], …]`. */

export type Pair = readonly [webhookId: string, eventId: string];

export interface CandidateRow {
  readonly event_id: string;
  readonly client_id: string;
  readonly happened_at: number;
  readonly data: string;
  readonly link_tags: string | null;
  readonly link_campaign: string | null;
  /** Null if no active webhook of the client wants the type. */
  readonly webhook_id: string | null;
  readonly tag_id: string | null;
  readonly campaign: string | null;
  /** True if the event is for this webhook alone. */
  readonly is_own: number;
  /** That of the last request that wrote the webhook. */
  readonly origin: string | null;
}

/** When a client was deleted; NULL if it was not, or is restored. */
const deletedAt = (client: string) =>
  `(SELECT x.requested_at FROM deletions x WHERE x.client_id = ${client} AND x.undone_at IS NULL)`;

/**
 * Selects events that are not dispatched yet, each with the active webhooks that existed then and have its type; with none
 * if the client is deleted.
 */
export function selectCandidates(eventIds: readonly string[]): Statement {
  return {
    sql: `SELECT e.id AS event_id, e.client_id, e.happened_at, e.data, e.link_tags, e.link_campaign, w.id AS webhook_id, w.tag_id,
        w.campaign, e.webhook_id IS NOT NULL AS is_own, w.origin
      FROM events e
      LEFT JOIN webhooks w ON w.client_id = e.client_id AND w.disabled_at IS NULL
        AND ${deletedAt('e.client_id')} IS NULL AND (
        w.id = e.webhook_id
        OR (e.webhook_id IS NULL AND w.created_at <= e.happened_at
          AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = e.type)))
      WHERE e.id IN (SELECT value FROM json_each(?1)) AND e.dispatched_at IS NULL`,
    params: [JSON.stringify(eventIds)],
  };
}

export interface PairRow {
  readonly webhook_id: string;
  readonly event_id: string;
}

export interface CreatedRow extends PairRow {
  readonly next_try_at: number;
}

/** Creates the deliveries of events, each with its time, stores the bodies, and marks the events as dispatched. */
export function dispatchEvents(
  bodies: readonly (readonly [eventId: string, data: string])[],
  pairs: readonly TimedPair[],
  now: number,
): Statement[] {
  return [
    {
      sql: `INSERT OR IGNORE INTO deliveries (webhook_id, event_id, created_at, next_try_at)
        SELECT w.id, e.id, ?2, p.value ->> 2 FROM json_each(?1) p
        JOIN webhooks w ON w.id = p.value ->> 0
        JOIN events e ON e.id = p.value ->> 1 AND e.dispatched_at IS NULL
        RETURNING webhook_id, event_id, next_try_at`,
      params: [JSON.stringify(pairs), now],
    },
    {
      sql: `UPDATE events SET dispatched_at = ?2,
          data = (SELECT p.value ->> 1 FROM json_each(?1) p WHERE p.value ->> 0 = events.id)
        WHERE dispatched_at IS NULL AND id IN (SELECT p.value ->> 0 FROM json_each(?1) p)`,
      params: [JSON.stringify(bodies), now],
    },
  ];
}

export interface DueRow {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly created_at: number;
  readonly tries: number;
  readonly next_try_at: number;
  readonly url: string;
  /** That of the last request that wrote the webhook. */
  readonly origin: string | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  /** Also that of its client, if that is deleted. */
  readonly disabled_at: number | null;
  readonly failing_since: number | null;
  readonly type: string;
  readonly happened_at: number;
  readonly data: string;
}

/** Selects deliveries that wait for an attempt, due or not. */
export function selectWaiting(pairs: readonly Pair[]): Statement {
  return {
    sql: `SELECT d.webhook_id, d.event_id, d.created_at, d.tries, d.next_try_at, w.url, w.origin, w.secret, w.former_secret,
        w.former_secret_until, coalesce(w.disabled_at, ${deletedAt('w.client_id')}) AS disabled_at, w.failing_since, e.type, e.happened_at, e.data
      FROM json_each(?1) p
      JOIN deliveries d ON d.webhook_id = p.value ->> 0 AND d.event_id = p.value ->> 1
      JOIN webhooks w ON w.id = d.webhook_id
      JOIN events e ON e.id = d.event_id
      WHERE d.next_try_at IS NOT NULL`,
    params: [JSON.stringify(pairs)],
  };
}

/** A delivery with another time for it. */
export type TimedPair = readonly [...Pair, nextTryAt: number];

/** Gives those of some deliveries that are due another time, so that no other invocation attempts them before. */
export function takeDue(pairs: readonly TimedPair[], now: number): Statement {
  return {
    sql: `UPDATE deliveries SET next_try_at = p.value ->> 2 FROM json_each(?1) p
      WHERE webhook_id = p.value ->> 0 AND event_id = p.value ->> 1 AND next_try_at <= ?2
      RETURNING webhook_id, event_id`,
    params: [JSON.stringify(pairs), now],
  };
}

/** Gives another time to a delivery that was taken until `takenUntil`; null gives it up. */
export function putBack([webhookId, eventId]: Pair, takenUntil: number, nextTryAt: number | null): Statement {
  return {
    sql: `UPDATE deliveries SET next_try_at = ?4 WHERE webhook_id = ?1 AND event_id = ?2 AND next_try_at = ?3`,
    params: [webhookId, eventId, takenUntil, nextTryAt],
  };
}

interface AttemptRow {
  readonly tried_at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
}

// Manual redeliveries can add any number of attempts.
const MAX_ATTEMPTS = 50;

const NEXT_NUMBER = `(SELECT coalesce(max(number), 0) + 1 FROM delivery_tries t
  WHERE t.webhook_id = d.webhook_id AND t.event_id = d.event_id)`;

/** Records an attempt, unless the delivery was deleted meanwhile. */
export function insertAttempt(
  [webhookId, eventId]: Pair,
  { tried_at, ms, status, fault, answer: response }: AttemptRow,
): Statement[] {
  return [
    {
      sql: `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, fault, answer)
        SELECT d.webhook_id, d.event_id, ${NEXT_NUMBER}, ?3, ?4, ?5, ?6, ?7
        FROM deliveries d WHERE d.webhook_id = ?1 AND d.event_id = ?2`,
      params: [webhookId, eventId, tried_at, ms, status, fault, response],
    },
    {
      sql: `DELETE FROM delivery_tries WHERE webhook_id = ?1 AND event_id = ?2 AND number <= (
          SELECT max(number) FROM delivery_tries WHERE webhook_id = ?1 AND event_id = ?2) - ${MAX_ATTEMPTS}`,
      params: [webhookId, eventId],
    },
  ];
}

/** Marks a delivery as delivered, and its webhook as one that works. */
export function markDelivered([webhookId, eventId]: Pair, now: number): Statement[] {
  return [
    {
      sql: `UPDATE deliveries SET tries = tries + 1, next_try_at = NULL, delivered_at = ?3
        WHERE webhook_id = ?1 AND event_id = ?2`,
      params: [webhookId, eventId, now],
    },
    {
      sql: `UPDATE webhooks SET failing_since = NULL WHERE id = ?1 AND failing_since IS NOT NULL`,
      params: [webhookId],
    },
  ];
}

/** Records that the attempt of a delivery that was taken until `takenUntil` failed; without a next one it is given up. */
export function markFailed(
  [webhookId, eventId]: Pair,
  takenUntil: number,
  nextTryAt: number | null,
  failedAt: number,
): Statement[] {
  return [
    {
      sql: `UPDATE deliveries SET tries = tries + 1, next_try_at = ?4
        WHERE webhook_id = ?1 AND event_id = ?2 AND next_try_at = ?3`,
      params: [webhookId, eventId, takenUntil, nextTryAt],
    },
    {
      sql: `UPDATE webhooks SET failing_since = ?2 WHERE id = ?1 AND failing_since IS NULL`,
      params: [webhookId, failedAt],
    },
  ];
}
