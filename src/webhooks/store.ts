import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../accounts/access.ts';
import { FORM_IS_OURS, formParams, type SecretForm } from '../accounts/form-nonces.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import type { Statement } from '../database/database.ts';
import { foldTag } from '../links/tags/names.ts';
import { hostOf } from '../targets/blocklist.ts';
import { rowsOfPage, type Page } from '../input/pagination.ts';
import { MAX_WEBHOOKS, type DisabledBy, type NewWebhook, type WebhookChange } from './webhook.ts';

/** The SQL by which owners manage webhooks. */

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: string;
  readonly tag_id: string | null;
  readonly tag_name: string | null;
  readonly campaign: string | null;
  readonly disabled_at: number | null;
  readonly disabled_by: DisabledBy | null;
  readonly failing_since: number | null;
  readonly former_secret_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const COLUMNS = `w.id, w.url, w.description, w.events, w.tag_id, (SELECT t.name FROM tags t WHERE t.id = w.tag_id) AS tag_name,
  w.campaign, w.disabled_at, w.disabled_by, w.failing_since,
  CASE WHEN w.former_secret_until > ?5 THEN w.former_secret_until END AS former_secret_until, w.created_at, w.updated_at`;

/** Under `ACTING`: the webhooks `w` of the client that the actor acts for. */
export const OF_CLIENT = `w.client_id = ${SOLE_CLIENT}`;

const THIS_WEBHOOK = `w.id = ?8 AND ${OF_CLIENT}`;

/** A webhook as a subject of the audit log; the path of its URL may be a secret of the receiver. */
const SUBJECT = `SELECT w.client_id, w.id, ${hostOf('w.url')}`;

export const acting = (actor: Actor, now: number) => actingParams(actor, 'webhooks', now);

export function selectWebhooks(actor: Actor, now: number, { after, limit }: Page): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM webhooks w WHERE ${OF_CLIENT} AND (w.created_at, w.id) < (?8, ?9)
      ORDER BY w.created_at DESC, w.id DESC LIMIT ?10`,
    params: [...acting(actor, now), ...after, rowsOfPage(limit)],
  };
}

export function selectWebhook(actor: Actor, now: number, id: string): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS} FROM webhooks w WHERE ${THIS_WEBHOOK}`,
    params: [...acting(actor, now), id],
  };
}

/** The webhook that a form has created, if it did. */
export function selectWebhookOfForm(actor: Actor, now: number, nonce: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM webhooks w
      WHERE w.id = (SELECT subject_id FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ?8) AND ${OF_CLIENT}`,
    params: [...acting(actor, now), nonce],
  };
}

/** Why a webhook was not created or changed: one row. */
export interface ConditionsRow {
  readonly webhooks: number;
  /** True if the client has the tag, or none is named. */
  readonly has_tag: number;
}

export function selectConditions(actor: Actor, now: number, tag: string | null | undefined): Statement {
  return {
    sql: `${ACTING}
      SELECT (SELECT count(*) FROM webhooks w WHERE ${OF_CLIENT}) AS webhooks, ${hasTag('?8', '?9')} AS has_tag`,
    params: [...acting(actor, now), ...tagParams(tag)],
  };
}

/** Selects a row if the actor's client may have one more webhook; for `useNonce`. */
export const ROOM_FOR_WEBHOOK = `SELECT client_id FROM acting
  WHERE client_id = ${SOLE_CLIENT} AND (SELECT count(*) FROM webhooks w WHERE ${OF_CLIENT}) < ${MAX_WEBHOOKS}`;

interface NewRow {
  readonly id: string;
  readonly sealed: string;
  readonly origin: string;
}

/** Inserts a webhook with its audit entry, unless the client has too many or lacks the tag: two statements. */
export function insertWebhook(
  actor: Actor,
  now: number,
  { id, sealed, origin, url, events, description, tag, campaign_name }: NewWebhook & NewRow,
  form: SecretForm | null = null,
): Statement[] {
  return [
    {
      sql: `${ACTING}
        INSERT INTO webhooks
          (id, client_id, url, description, events, tag_id, campaign, secret, origin, created_at, updated_at)
        SELECT ?8, client_id, ?9, ?10, ?11, ${tagOf('?12', '?13')}, ?14, ?15, ?18, ?5, ?5 FROM (${ROOM_FOR_WEBHOOK})
        WHERE ${hasTag('?12', '?13')} AND ${FORM_IS_OURS('?16', '?17')}`,
      params: [
        ...acting(actor, now),
        id,
        url.href,
        description ?? '',
        JSON.stringify(events),
        ...tagParams(tag),
        campaign_name ?? null,
        sealed,
        ...formParams(form),
        origin,
      ],
    },
    insertAudit(actor, 'webhooks', now, {
      action: 'webhook.created',
      subjects: `${SUBJECT}, json_object('events', json(w.events)) FROM webhooks w WHERE ${THIS_WEBHOOK}`,
      params: [id],
    }),
  ];
}

const isGiven = (field: string) => `json_type(?9, '$.${field}') IS NOT NULL`;
const given = (field: string, value: string, kept: string) =>
  `CASE WHEN ${isGiven(field)} THEN ${value} ELSE ${kept} END`;

/** The columns after the change ?9, whose tag has the folded name ?10. */
const CHANGED = {
  url: given('url', `?9 ->> 'url'`, 'w.url'),
  description: given('description', `?9 ->> 'description'`, 'w.description'),
  events: given('events', `?9 -> 'events'`, 'w.events'),
  tag_id: given('tag', tagOf(`(?9 ->> 'tag')`, '?10'), 'w.tag_id'),
  campaign: given('campaign_name', `?9 ->> 'campaign_name'`, 'w.campaign'),
};

const NAMES = { tag_id: 'tag', campaign: 'campaign_name' } as const;
const nameOf = (column: string) => (column in NAMES ? NAMES[column as keyof typeof NAMES] : column);

const TURNED = `(${isGiven('disabled')} AND ?9 ->> 'disabled' <> (w.disabled_at IS NOT NULL))`;

/** A JSON list of the fields that differ. */
const DIFFERENCES = `(SELECT json_group_array(key) FROM json_each(json_object(${Object.entries(CHANGED)
  .map(([column, value]) => `'${nameOf(column)}', w.${column} IS NOT ${value}`)
  .join(', ')}, 'disabled', ${TURNED})) WHERE value)`;

/**
 * Changes a webhook, unless the client lacks the tag, with an audit entry if that makes a difference; the last of the two
 * statements returns its id if it was found. Another URL, or enabling it, begins the time of failures anew.
 */
export function updateWebhook(
  actor: Actor,
  now: number,
  id: string,
  change: WebhookChange,
  origin: string,
): Statement[] {
  const fields = { ...change, ...(change.url && { url: change.url.href }) };
  const params = [id, JSON.stringify(fields), typeof change.tag === 'string' ? foldTag(change.tag) : null];
  const found = `${THIS_WEBHOOK} AND ${hasTag(`(?9 ->> 'tag')`, '?10')}`;
  const isTurnedOn = `(${TURNED} AND w.disabled_at IS NOT NULL)`;
  return [
    insertAudit(actor, 'webhooks', now, {
      action: 'webhook.changed',
      subjects: `${SUBJECT}, json_object('changed', json(${DIFFERENCES}), 'disabled',
          json(iif(${given('disabled', `?9 ->> 'disabled'`, 'w.disabled_at IS NOT NULL')}, 'true', 'false')))
        FROM webhooks w WHERE ${found} AND ${DIFFERENCES} <> '[]'`,
      params,
    }),
    {
      sql: `${ACTING}
        UPDATE webhooks AS w SET ${Object.entries(CHANGED)
          .map(([column, value]) => `${column} = ${value}`)
          .join(', ')},
          disabled_at = CASE WHEN NOT ${TURNED} THEN w.disabled_at WHEN ${isTurnedOn} THEN NULL ELSE ?5 END,
          disabled_by = CASE WHEN NOT ${TURNED} THEN w.disabled_by WHEN ${isTurnedOn} THEN NULL ELSE 'owner' END,
          failing_since = CASE WHEN ${isTurnedOn} OR w.url IS NOT ${CHANGED.url} THEN NULL ELSE w.failing_since END,
          listens_since = iif(${isTurnedOn} OR w.events IS NOT ${CHANGED.events}, ?5, w.listens_since),
          origin = ?11,
          updated_at = iif(${DIFFERENCES} = '[]', w.updated_at, ?5)
        WHERE ${found} RETURNING id`,
      params: [...acting(actor, now), ...params, origin],
    },
  ];
}

/** Selects a row if `rollSecret` would find a webhook; for `useNonce`. */
export const ROLLABLE = `SELECT w.client_id FROM webhooks w WHERE ${THIS_WEBHOOK}`;

/** Gives a webhook another secret; the second statement returns a row if it did. */
export function rollSecret(
  actor: Actor,
  now: number,
  id: string,
  { sealed, formerUntil, origin }: Omit<NewRow, 'id'> & { readonly formerUntil: number },
  form: SecretForm | null = null,
): Statement[] {
  const found = `${THIS_WEBHOOK} AND ${FORM_IS_OURS('?9', '?10')}`;
  return [
    insertAudit(actor, 'webhooks', now, {
      action: 'webhook.rolled',
      subjects: `${SUBJECT}, NULL FROM webhooks w WHERE ${found}`,
      params: [id, ...formParams(form)],
    }),
    {
      sql: `${ACTING}
        UPDATE webhooks AS w SET secret = ?11, former_secret = w.secret, former_secret_until = ?12, origin = ?13,
          updated_at = ?5
        WHERE ${found} RETURNING id`,
      params: [...acting(actor, now), id, ...formParams(form), sealed, formerUntil, origin],
    },
  ];
}

/** The tag of the client by its name or its id, in SQL; NULL if it has none of these. */
function tagOf(text: string, folded: string): string {
  return `(SELECT t.id FROM tags t WHERE t.client_id = ${SOLE_CLIENT} AND (t.folded = ${folded} OR t.id = ${text})
    ORDER BY t.folded = ${folded} DESC LIMIT 1)`;
}

const hasTag = (text: string, folded: string): string => `(${text} IS NULL OR ${tagOf(text, folded)} IS NOT NULL)`;

const tagParams = (tag: string | null | undefined) => (tag == null ? [null, null] : [tag, foldTag(tag)]);
