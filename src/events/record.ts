import { createHash } from 'node:crypto';
import type { Statement } from '../database/database.ts';
import type { EventType } from './types.ts';

/**
 * Statements that record events in the batch of what they report. Each returns the ids of the rows it has inserted,
 * which `notifyQueue` sends to the queue if the statement has `returnsEvents`.
 */

/** True if a client has an active webhook for a type, in SQL: one look into an index for clients without webhooks. */
export const isWanted = (client: string, type: EventType): string => isWantedType(client, `'${type}'`);

/** True if webhooks `w` are active and want a type, in SQL. */
export const wants = (webhooks: string, type: string): string =>
  `${webhooks}.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(${webhooks}.events) WHERE value = ${type})`;

/** Events as SQL: expressions, and the rows to which they apply. */
export interface EventRows {
  readonly type: EventType;
  /** One that is the same whenever the same event is recorded again; by default a random one. */
  readonly id?: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: string;
  readonly client: string;
  /** A JSON text. That of an event about a link is read by `bodyOf` in `src/links/events/`. */
  readonly data: string;
  /** A JSON list of the ids of the link's tags. */
  readonly linkTags?: string;
  readonly linkCampaign?: string;
  /** The FROM clause with its condition: the rows for which the batch has done what the event reports. */
  readonly from: string;
  /** The most that are recorded at once; by default all. */
  readonly most?: number;
}

/** Returns the INSERT that records an event for each row. Common table expressions can stand before it. */
export function insertEvents({
  type,
  id = RANDOM_ID,
  most,
  at,
  client,
  data,
  linkTags,
  linkCampaign,
  from,
}: EventRows): string {
  return `INSERT INTO events (id, client_id, type, happened_at, data, link_tags, link_campaign)
    SELECT ${id}, ${client}, '${type}', ${at}, ${data}, ${linkTags ?? 'NULL'}, ${linkCampaign ?? 'NULL'}
    ${from} AND ${isWanted(client, type)}${most === undefined ? '' : ` LIMIT ${most}`}
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/**
 * `insertEvents` for entries `a` of the audit log. An entry has one event: its id is derived from that of the entry.
 *
 * @param type SQL; NULL for entries without an event
 */
export function insertAuditedEvents({
  type,
  data,
  from,
}: Pick<EventRows, 'data' | 'from'> & { readonly type: string }) {
  return `INSERT INTO events (id, client_id, type, happened_at, data)
    SELECT 'evt_' || a.id, a.client_id, ${type}, a.created_at, ${data}
    ${from} AND ${isWantedType('a.client_id', type)}
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/** An event for one webhook, of whose kind many are recorded at once. */
export interface DerivedEvent {
  /** Of `derivedEventId`, so that an event which is recorded again has one row. */
  readonly id: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly happenedAt: number;
  /** An object for JSON, as it is sent. */
  readonly data: object;
  /** When its delivery is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** The id of an event that follows from what it reports. */
export const derivedEventId = (source: readonly string[]): string =>
  `evt_${createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 32)}`;

/**
 * Records events for webhooks that still want the type, with their deliveries: nothing has to be found out to dispatch
 * them. Those that are recorded already stay as they are.
 */
export function insertDerived(type: EventType, events: readonly DerivedEvent[], now: number): Statement[] {
  return [
    {
      sql: `INSERT INTO events (id, client_id, type, happened_at, data, webhook_id, dispatched_at)
        SELECT item.value ->> 'id', w.client_id, '${type}', item.value ->> 'happenedAt', item.value ->> 'data', w.id, ?2
        FROM json_each(?1) AS item CROSS JOIN webhooks w ON w.id = item.value ->> 'webhookId'
        WHERE w.client_id = item.value ->> 'clientId' AND ${wants('w', `'${type}'`)}
        ON CONFLICT (id) DO NOTHING`,
      params: [JSON.stringify(events), now],
    },
    {
      sql: `INSERT INTO deliveries (webhook_id, event_id, created_at, next_try_at)
        SELECT e.webhook_id, e.id, ?2, item.value ->> 1
        FROM json_each(?1) AS item CROSS JOIN events e ON e.id = item.value ->> 0
        WHERE e.dispatched_at = ?2
        ON CONFLICT (webhook_id, event_id) DO NOTHING RETURNING webhook_id, event_id, next_try_at`,
      params: [JSON.stringify(events.map(({ id, dueAt }) => [id, dueAt])), now],
      returnsDeliveries: true,
    },
  ];
}

/** Selects the active webhooks of some clients for a type, and whether `mostWaiting` deliveries wait for them. */
export function selectWebhooksFor(type: EventType, clientIds: readonly string[], mostWaiting: number): Statement {
  return {
    sql: `SELECT w.id, w.client_id, w.tag_id, w.campaign, EXISTS (
        SELECT 1 FROM deliveries d
        WHERE d.webhook_id = w.id AND d.delivered_at IS NULL AND d.next_try_at IS NOT NULL LIMIT 1 OFFSET ?2) AS is_full
      FROM json_each(?1) AS client
      CROSS JOIN webhooks w ON w.client_id = client.value WHERE ${wants('w', `'${type}'`)}`,
    params: [JSON.stringify(clientIds), mostWaiting - 1],
  };
}

export const newEventId = (): string => `evt_${crypto.randomUUID().replaceAll('-', '')}`;

const isWantedType = (client: string, type: string): string =>
  `EXISTS (SELECT 1 FROM webhooks w WHERE w.client_id = ${client} AND ${wants('w', type)})`;

const RANDOM_ID = `'evt_' || lower(hex(randomblob(16)))`;
