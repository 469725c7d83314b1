import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { EVENT_NAMES } from '../../src/events/types.ts';
import { bodyOf } from '../../src/links/events/body-of.ts';
import { open } from './manage.ts';
import { seedDomain } from './seed.ts';
import { call, ORIGIN } from './service.ts';

/** Webhooks as rows, and the events that were recorded for them. */

interface WebhookOptions {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly tagId?: string | null;
  readonly campaign?: string | null;
  readonly disabledAt?: number | null;
}

/** Adds a webhook, by default for all types; returns its id. */
export async function addWebhook(
  clientId: string,
  {
    url = 'https://hooks.example/',
    events = EVENT_NAMES,
    tagId = null,
    campaign = null,
    disabledAt = null,
  }: WebhookOptions = {},
): Promise<string> {
  const row = await env.DB.prepare(
    `INSERT INTO webhooks (client_id, url, events, tag_id, campaign, secret, disabled_at, created_at, updated_at)
      VALUES (?1, ?6, ?2, ?3, ?4, 's', ?5, 1, 1) RETURNING id`,
  )
    .bind(clientId, JSON.stringify(events), tagId, campaign, disabledAt, url)
    .first<{ readonly id: string }>();
  return row!.id;
}

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly happened_at: number;
  readonly data: string;
  readonly link_tags: string | null;
  readonly link_campaign: string | null;
  readonly webhook_id: string | null;
  readonly dispatched_at: number | null;
}

/** The events of a client in the order in which they were recorded, as far as their instants say. */
export async function eventRowsOf(clientId: string): Promise<readonly EventRow[]> {
  const { results } = await env.DB.prepare(
    `SELECT id, type, happened_at, data, link_tags, link_campaign, webhook_id, dispatched_at FROM events
      WHERE client_id = ? ORDER BY happened_at, type, id`,
  )
    .bind(clientId)
    .all<EventRow>();
  return results;
}

type EventData = Readonly<Record<string, unknown>>;

interface RecordedEvent {
  readonly type: string;
  readonly data: EventData;
}

/** Reads the events as receivers get them. */
export async function eventsOf(clientId: string): Promise<readonly RecordedEvent[]> {
  const site = { requestUrl: new URL(ORIGIN), publicUrl: null };
  const rows = await eventRowsOf(clientId);
  return rows.map(({ type, happened_at: happenedAt, data }) => ({
    type,
    data: JSON.parse(bodyOf({ happenedAt, data }, site)),
  }));
}

/** The types of a client's events. */
export const typesOf = async (clientId: string) => (await eventRowsOf(clientId)).map(({ type }) => type);

/** A caller of a client with a webhook for all types. */
export async function openWithHook(options: WebhookOptions = {}) {
  const manager = await open();
  const { clientId } = manager.tenant;
  const hookId = await addWebhook(clientId, options);
  return {
    ...manager,
    clientId,
    hookId,
    /** Removes the events so far. */
    forget: async () => {
      await env.DB.prepare('DELETE FROM events WHERE client_id = ?').bind(clientId).run();
    },
    call: (
      path: string,
      { headers = {}, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
    ) => call(path, { ...init, headers: { ...manager.key, ...headers } }),
    seedHost: async () => {
      const host = await seedDomain(manager.tenant);
      const row = await env.DB.prepare('SELECT id FROM domains WHERE host = ?').bind(host).first<{ id: string }>();
      return { id: row!.id, host };
    },
  };
}

/** A slug that no other test uses. */
export const uniqueSlug = (): string => `d${nanoid(10).replaceAll(/[-_]/g, 'x')}`;
