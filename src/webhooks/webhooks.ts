import { authorize, authorizeFirst, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import { listPage } from '../accounts/list-page.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { EventType } from '../events/types.ts';
import { readPage, type Page } from '../input/pagination.ts';
import { newHexId } from '../secrets/random-secrets.ts';
import type { SealingKey } from '../secrets/sealing.ts';
import { refuseTargetsOf } from '../targets/new-targets.ts';
import type { TargetPolicy } from '../targets/policy.ts';
import { fieldError } from '../input/validation.ts';
import { expectClicks, type ClickWebhookStores } from './click-webhooks.ts';
import { deleteOwnEvents, deleteWebhookRows } from './delete-store.ts';
import { refuseInnerHost, type HostRules } from './inner-hosts.ts';
import { FORMER_WEBHOOK_SECRET_MS, newWebhookSecret, sealSecret } from './secrets.ts';
import { portFaultOf } from './ports.ts';
import * as store from './store.ts';
import { MAX_WEBHOOKS, type NewWebhook, type Webhook, type WebhookChange } from './webhook.ts';

/** The capabilities of the verbs of webhooks. */
export interface WebhookTools extends ClickWebhookStores {
  /** The first one encrypts; without one no secret is created. */
  readonly keys: readonly SealingKey[];
  readonly hosts: HostRules;
  readonly targetPolicy: TargetPolicy | null;
  /** That of the request, which a webhook keeps for short links in events that no request causes. */
  readonly origin: string;
}

const EVERY_WEBHOOK = readPage({}, { limit: MAX_WEBHOOKS });

/** Lists the webhooks of the actor's client, newest first; without a page, all. Throws what `authorize` throws. */
export async function listWebhooks(
  db: Database,
  actor: Actor,
  page: Page = EVERY_WEBHOOK,
): Promise<{ webhooks: readonly Webhook[]; cursor: string | null }> {
  const { items: webhooks, cursor } = await listPage(db, actor, page, {
    permission: 'webhooks',
    select: (now) => store.selectWebhooks(actor, now, page),
    positionOf: (row: store.WebhookRow) => [row.created_at, row.id],
    toItem: toWebhook,
  });
  return { webhooks, cursor };
}

/** Throws `not_found`, and what `authorize` throws. */
export async function getWebhook(db: Database, actor: Actor, id: string): Promise<Webhook> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, store.WebhookRow]>([
    selectAccess(actor, 'webhooks', now),
    store.selectWebhook(actor, now, id),
  ]);
  authorize(access, actor);
  return found(rows);
}

/**
 * Creates a webhook; its secret is returned only this once. Throws `webhooks_off`, `too_many_webhooks`, `invalid_tag`, and
 * what `refuseInnerHost`, the policy and `authorize` throw.
 */
export async function createWebhook(
  tools: WebhookTools,
  actor: Actor,
  fields: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  await refuseUrl(tools, actor, fields.url);
  const { id, secret, sealed } = await newSecretOf(tools.keys, newHexId());
  await expectClicks(tools, actor, fields);
  const now = Date.now();
  const [access, , , rows, [conditions]] = await tools.db.batch<
    [AccessRow, never, never, store.WebhookRow, store.ConditionsRow]
  >([
    selectAccess(actor, 'webhooks', now),
    ...store.insertWebhook(actor, now, { ...fields, id, sealed, origin: tools.origin }),
    store.selectWebhook(actor, now, id),
    store.selectConditions(actor, now, fields.tag),
  ]);
  authorize(access, actor);
  if (rows.length === 0) throw notCreated(conditions);
  return { webhook: found(rows), secret };
}

/** Changes a webhook. Throws `not_found`, `invalid_tag`, and what `refuseInnerHost`, the policy and `authorize` throw. */
export async function changeWebhook(
  tools: WebhookTools,
  actor: Actor,
  id: string,
  change: WebhookChange,
): Promise<Webhook> {
  // Found first, so that only the owner of a webhook causes look-ups.
  if (change.url) await refuseChangedUrl(tools, actor, id, change.url);
  await expectClicks(tools, actor, change);
  const now = Date.now();
  const [access, , changed, rows] = await tools.db.batch<[AccessRow, never, unknown, store.WebhookRow]>([
    selectAccess(actor, 'webhooks', now),
    ...store.updateWebhook(actor, now, id, change, tools.origin),
    store.selectWebhook(actor, now, id),
  ]);
  authorize(access, actor);
  const webhook = found(rows);
  if (changed.length === 0) throw noSuchTag();
  return webhook;
}

/**
 * Gives a webhook a new secret, returned only this once. The former secret signs too for 24 more hours, and an earlier one
 * no longer. Throws `not_found`, `webhooks_off`, and what `authorize` throws.
 */
export async function rollWebhook(
  { db, keys, origin }: WebhookTools,
  actor: Actor,
  id: string,
): Promise<{ webhook: Webhook; secret: string }> {
  const now = Date.now();
  const { secret, sealed } = await newSecretOf(keys, id);
  const [access, , , rows] = await db.batch<[AccessRow, never, unknown, store.WebhookRow]>([
    selectAccess(actor, 'webhooks', now),
    ...store.rollSecret(actor, now, id, { sealed, formerUntil: now + FORMER_WEBHOOK_SECRET_MS, origin }),
    store.selectWebhook(actor, now, id),
  ]);
  authorize(access, actor);
  return { webhook: found(rows), secret };
}

// Deliveries of 200,000 events.
const MAX_BATCHES = 20;

/** Deletes a webhook with its deliveries. Throws `not_found`, `busy` if it has too many, and what `authorize` throws. */
export async function deleteWebhook(db: Database, actor: Actor, id: string): Promise<void> {
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const now = Date.now();
    const [access, , ended, , , there, deleted] = await db.batch<
      [AccessRow, never, { readonly event_id: string }, never, never, unknown, unknown]
    >([selectAccess(actor, 'webhooks', now), ...deleteWebhookRows(actor, now, id)]);
    authorize(access, actor);
    if (ended.length > 0) {
      const events = ended.map(({ event_id: event }) => event);
      await db.batch([deleteOwnEvents(id, events)]);
    }
    if (deleted.length > 0) return;
    if (there.length === 0) throw noSuchWebhook();
  }
  throw new AppError(
    'busy',
    'The webhook is disabled, but has more deliveries than can be deleted at once. Delete it again for the rest.',
    { retryAfterSeconds: 1 },
  );
}

/** Refuses the URL of a webhook to be created. The caller is authorised first, so that only an owner causes look-ups. */
export async function refuseUrl({ db, hosts, targetPolicy }: WebhookTools, actor: Actor, url: URL): Promise<void> {
  await authorizeFirst(db, actor, 'webhooks');
  await refuseInnerHost(hosts, url);
  await refuseTargetsOf(db, actor, 'webhooks', targetPolicy, { url });
}

async function refuseChangedUrl(tools: WebhookTools, actor: Actor, id: string, url: URL): Promise<void> {
  const former = await getWebhook(tools.db, actor, id);
  if (former.url !== url.href) await refuseUrl(tools, actor, url);
}

/** A secret for a webhook, and the same encrypted. Throws `webhooks_off`. */
export async function newSecretOf(keys: readonly SealingKey[], id: string) {
  if (keys.length === 0) throw webhooksOff();
  const secret = newWebhookSecret();
  return { id, secret, sealed: await sealSecret(keys, id, secret) };
}

export function found([row]: readonly store.WebhookRow[]): Webhook {
  if (!row) throw noSuchWebhook();
  return toWebhook(row);
}

export function notCreated(conditions: store.ConditionsRow | undefined): AppError {
  if (conditions?.has_tag === 0) return noSuchTag();
  return new AppError(
    'too_many_webhooks',
    `The limit of ${MAX_WEBHOOKS} webhooks is reached. Delete one that is not used.`,
  );
}

function noSuchTag(): AppError {
  return fieldError('invalid_tag', 'tag', 'tag must be the name or the id of a tag that exists.');
}

export function noSuchWebhook(): AppError {
  return new AppError('not_found', 'There is no webhook with this id that you can manage.');
}

function webhooksOff(): AppError {
  return new AppError(
    'webhooks_off',
    'The operator of this service has not set up webhooks yet: the setting WEBHOOK_KEYS is missing.',
    { retryAfterSeconds: 3600 },
  );
}

function toWebhook(row: store.WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events) as EventType[],
    tag: row.tag_id === null ? null : { id: row.tag_id, name: row.tag_name ?? '' },
    campaignName: row.campaign,
    disabledAt: row.disabled_at,
    disabledBy: row.disabled_by,
    failingSince: row.failing_since,
    portFault: portFaultOf(new URL(row.url)),
    formerSecretEndsAt: row.former_secret_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
