import type { Param, Statement } from '../database.ts';
import type { EventType, TEST_EVENT } from './types.ts';

/** Statements that record events in the batch of what they tell of. Each returns the ids of the rows it has inserted. */

/** Whether a client has an active webhook for a type, in SQL: one look into an index for clients without webhooks. */
export const isWanted = (client: string, type: EventType): string => isWantedType(client, `'${type}'`);

/** Events as SQL: expressions, and the rows to which they apply. */
export interface EventRows {
  readonly type: EventType;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: string;
  readonly client: string;
  /** A JSON text. That of an event about a link is read by `bodyOf` in `src/links/events/`. */
  readonly data: string;
  /** A JSON list of the ids of the link's tags. */
  readonly linkTags?: string;
  readonly linkCampaign?: string;
  /** The FROM clause with its condition: the rows for which the batch has done what the event tells of. */
  readonly from: string;
}

/** The end of a statement, after its common table expressions if it has any, that records an event for each row. */
export function insertEvents({ type, at, client, data, linkTags, linkCampaign, from }: EventRows): string {
  return `INSERT INTO events (id, client_id, type, happened_at, data, link_tags, link_campaign)
    SELECT 'evt_' || lower(hex(randomblob(16))), ${client}, '${type}', ${at}, ${data}, ${linkTags ?? 'NULL'}, ${linkCampaign ?? 'NULL'}
    ${from} AND ${isWanted(client, type)}
    RETURNING id`;
}

/**
 * The same for entries `a` of the audit log. An entry has one event: its id is derived from that of the entry.
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

/** A statement with `insertEvents`, whose ids `withEvents` sends to the queue. */
export const recordEvents = (sql: string, params: readonly Param[]): Statement => ({
  sql,
  params,
  returnsEvents: true,
});

/** An event for one webhook. */
export interface NewEvent {
  /** Of `newEventId`, or one that is the same whenever the same event is recorded again: then there is one row. */
  readonly id: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly type: EventType | typeof TEST_EVENT;
  readonly happenedAt: number;
  /** JSON. */
  readonly data: string;
}

/** Records an event for one webhook of a client, unless that was deleted. */
export function insertEvent({ id, clientId, webhookId, type, happenedAt, data }: NewEvent): Statement {
  return recordEvents(
    `INSERT INTO events (id, client_id, type, happened_at, data, webhook_id)
      SELECT ?1, w.client_id, ?4, ?5, ?6, w.id FROM webhooks w WHERE w.id = ?3 AND w.client_id = ?2
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, clientId, webhookId, type, happenedAt, data],
  );
}

export const newEventId = (): string => `evt_${crypto.randomUUID().replaceAll('-', '')}`;

const isWantedType = (client: string, type: string): string => `EXISTS (
    SELECT 1 FROM webhooks w WHERE w.client_id = ${client} AND w.disabled_at IS NULL
      AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = ${type}))`;
