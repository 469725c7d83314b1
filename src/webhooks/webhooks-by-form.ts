import { selectAccess, authorize, type AccessRow, type Actor } from '../accounts/access.ts';
import { useNonce } from '../accounts/form-nonces.ts';
import { hashSecret, newHexId } from '../secrets/random-secrets.ts';
import { expectClicks } from './click-webhooks.ts';
import { FORMER_WEBHOOK_SECRET_MS } from './secrets.ts';
import * as store from './store.ts';
import { found, newSecretOf, notCreated, refuseUrl, type WebhookTools } from './webhooks.ts';
import type { NewWebhook, Webhook } from './webhook.ts';

/** Creates webhooks and rolls their secrets for forms, which a reload may send again. */

/** A webhook and its secret; the secret is null if the form was sent before, since it was shown then. */
export interface WebhookOfForm {
  readonly webhook: Webhook;
  readonly secret: string | null;
}

/** Like `createWebhook`, but once for each nonce. */
export async function createWebhookOnce(
  tools: WebhookTools,
  actor: Actor,
  nonce: string,
  fields: NewWebhook,
): Promise<WebhookOfForm> {
  await refuseUrl(tools, actor, fields.url);
  const { id, secret, sealed } = await newSecretOf(tools.keys, newHexId());
  await expectClicks(tools, actor, fields);
  const now = Date.now();
  const form = { nonce, secretHash: hashSecret(secret) };
  const [access, [conditions], , , , rows] = await tools.db.batch<
    [AccessRow, store.ConditionsRow, never, never, never, store.WebhookRow]
  >([
    selectAccess(actor, 'webhooks', now),
    store.selectConditions(actor, now, fields.tag),
    useNonce(actor, 'webhooks', now, form, id, store.ROOM_FOR_WEBHOOK),
    ...store.insertWebhook(actor, now, { ...fields, id, sealed, origin: tools.origin }, form),
    store.selectWebhookOfForm(actor, now, nonce),
  ]);
  authorize(access, actor);
  if (rows.length === 0) throw notCreated(conditions);
  const webhook = found(rows);
  return { webhook, secret: webhook.id === id ? secret : null };
}

/** Like `rollWebhook`, but once for each nonce. */
export async function rollWebhookOnce(
  { db, keys, origin }: WebhookTools,
  actor: Actor,
  nonce: string,
  id: string,
): Promise<WebhookOfForm> {
  const now = Date.now();
  const { secret, sealed } = await newSecretOf(keys, id);
  const form = { nonce, secretHash: hashSecret(secret) };
  const [access, , , rolled, rows] = await db.batch<[AccessRow, never, never, unknown, store.WebhookRow]>([
    selectAccess(actor, 'webhooks', now),
    useNonce(actor, 'webhooks', now, form, id, store.ROLLABLE),
    ...store.rollSecret(actor, now, id, { sealed, formerUntil: now + FORMER_WEBHOOK_SECRET_MS, origin }, form),
    store.selectWebhook(actor, now, id),
  ]);
  authorize(access, actor);
  return { webhook: found(rows), secret: rolled.length > 0 ? secret : null };
}
