import { ACTING, type Actor } from '../../accounts/access.ts';
import type { Statement } from '../../database/database.ts';
import { TEST_EVENT } from '../../events/types.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { acting, OF_CLIENT } from '../store.ts';
import { TAKEN_MS } from './schedule.ts';

/** The SQL of the log of deliveries, and of redeliveries. */

export interface DeliveryLogRow {
  readonly event_id: string;
  readonly type: string;
  readonly happened_at: number;
  readonly created_at: number;
  readonly next_try_at: number | null;
  readonly delivered_at: number | null;
  readonly attempts: number;
}

const COLUMNS = `d.event_id, e.type, e.happened_at, d.created_at, d.next_try_at, d.delivered_at,
  (SELECT count(*) FROM delivery_tries t WHERE t.webhook_id = d.webhook_id AND t.event_id = d.event_id) AS attempts`;

const THIS_WEBHOOK = `w.id = ?8 AND ${OF_CLIENT}`;
const OF_WEBHOOK = `FROM webhooks w JOIN deliveries d ON d.webhook_id = w.id`;

/** The conditions for states; deliveries that are not delivered have an index of their own. */
const IN_STATE = {
  delivered: 'AND d.delivered_at IS NOT NULL',
  pending: 'AND d.delivered_at IS NULL AND d.next_try_at IS NOT NULL',
  failed: 'AND d.delivered_at IS NULL AND d.next_try_at IS NULL',
  unsuccessful: 'AND d.delivered_at IS NULL AND (d.next_try_at IS NULL OR d.tries > 0)',
} as const;

/** The condition for deliveries that failed or wait for a further attempt; none that is under way, or soon will be. */
const REDELIVERABLE = `AND d.delivered_at IS NULL AND (
  d.next_try_at IS NULL OR (d.tries > 0 AND d.next_try_at > ?5 + ${TAKEN_MS}))`;

export function selectDeliveries(
  actor: Actor,
  now: number,
  webhookId: string,
  state: keyof typeof IN_STATE | null,
  { after, limit }: Page,
): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} ${OF_WEBHOOK} JOIN events e ON e.id = d.event_id
      WHERE ${THIS_WEBHOOK} AND (d.created_at, d.event_id) < (?9, ?10) ${state === null ? '' : IN_STATE[state]}
      ORDER BY d.created_at DESC, d.event_id DESC LIMIT ?11`,
    params: [...acting(actor, now), webhookId, ...after, rowsOfPage(limit)],
  };
}

export function selectDelivery(actor: Actor, now: number, webhookId: string, eventId: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} ${OF_WEBHOOK} JOIN events e ON e.id = d.event_id WHERE ${THIS_WEBHOOK} AND d.event_id = ?9`,
    params: [...acting(actor, now), webhookId, eventId],
  };
}

export interface AttemptLogRow {
  readonly number: number;
  readonly tried_at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
}

/** Selects the attempts of a delivery, the first one first. */
export function selectAttempts(actor: Actor, now: number, webhookId: string, eventId: string): Statement {
  return {
    sql: `${ACTING}
      SELECT t.number, t.tried_at, t.ms, t.status, t.fault, t.answer
      FROM webhooks w JOIN delivery_tries t ON t.webhook_id = w.id
      WHERE ${THIS_WEBHOOK} AND t.event_id = ?9 ORDER BY t.number`,
    params: [...acting(actor, now), webhookId, eventId],
  };
}

const ACTIVE = `${THIS_WEBHOOK} AND w.disabled_at IS NULL`;

const BEGIN_ANEW = 'UPDATE deliveries SET tries = 0, next_try_at = ?5, delivered_at = NULL';

/** Begins the attempts of a delivery anew, now, unless its webhook is disabled; returns its event's id if it did. */
export function redeliverOne(actor: Actor, now: number, webhookId: string, eventId: string): Statement {
  return {
    sql: `${ACTING}
      ${BEGIN_ANEW} WHERE event_id = ?9 AND webhook_id = (SELECT w.id FROM webhooks w WHERE ${ACTIVE})
      RETURNING event_id`,
    params: [...acting(actor, now), webhookId, eventId],
  };
}

/** `redeliverOne` for all deliveries since an instant that failed or wait for a further attempt, oldest first. */
export function redeliverFailed(actor: Actor, now: number, webhookId: string, since: number, limit: number): Statement {
  return {
    sql: `${ACTING}
      ${BEGIN_ANEW} WHERE (webhook_id, event_id) IN (
        SELECT d.webhook_id, d.event_id ${OF_WEBHOOK}
        WHERE ${ACTIVE} AND d.created_at >= ?9 ${REDELIVERABLE} ORDER BY d.created_at, d.event_id LIMIT ?10)
      RETURNING event_id`,
    params: [...acting(actor, now), webhookId, since, limit],
  };
}

/** Records an event of the type for tests, for a webhook alone, unless it is disabled; returns the event's id if it did. */
export function insertTestEvent(actor: Actor, now: number, webhookId: string, eventId: string): Statement {
  return {
    sql: `${ACTING}
      INSERT INTO events (id, client_id, type, happened_at, data, webhook_id)
      SELECT ?9, w.client_id, '${TEST_EVENT}', ?5, json_object('webhook_id', w.id), w.id FROM webhooks w WHERE ${ACTIVE}
      RETURNING id`,
    params: [...acting(actor, now), webhookId, eventId],
    returnsEvents: true,
  };
}
