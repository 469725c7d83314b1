import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { addDelivery, addEvent, holdBatches, type Sent } from './deliveries.ts';
import { seedTenant } from './seed.ts';
import { openOwner, refused, seedWebhookRow } from './webhook-owners.ts';

/** The log of deliveries, from an owner's side, at one moment. */

export const NOW = Date.parse('2026-05-20T12:00:00Z');
export const NO_WEBHOOK = refused('not_found: There is no webhook with this id that you can manage.');
export const DISABLED = refused(
  'webhook_disabled: The webhook is disabled, so nothing is sent to it. Enable it first.',
);

/** An owner, and what is sent to the queue from now on. */
export async function openLog() {
  vi.setSystemTime(NOW);
  const owner = await openOwner(await seedTenant());
  const sent: Sent[] = [];
  vi.spyOn(env.WEBHOOKS, 'sendBatch').mockImplementation(holdBatches(sent).sendBatch);
  return { ...owner, clientId: owner.tenant.clientId, sent };
}

/** A webhook with one delivery in each state, the pending one newest. */
export async function seedStates(clientId: string) {
  const webhook = await seedWebhookRow(clientId);
  const ids = [];
  for (const index of [0, 1, 2]) {
    const event = await addEvent(clientId, { happenedAt: NOW - 5000 + index, dispatchedAt: 1 });
    ids.push((await addDelivery(webhook, event, { at: NOW - 3000 + index })).event);
  }
  const [delivered = '', failed = '', pending = ''] = ids;
  await env.DB.batch([
    env.DB.prepare('UPDATE deliveries SET next_try_at = NULL, delivered_at = ?2 WHERE event_id = ?1').bind(
      delivered,
      NOW,
    ),
    env.DB.prepare('UPDATE deliveries SET next_try_at = NULL WHERE event_id = ?').bind(failed),
  ]);
  return { webhook, delivered, failed, pending };
}
