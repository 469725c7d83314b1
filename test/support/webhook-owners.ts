import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { parseSealingKeys } from '../../src/secrets/sealing.ts';
import { newWebhookSecret, sealSecret } from '../../src/webhooks/secrets.ts';
import { newHexId } from '../../src/secrets/random-secrets.ts';
import { openManager, type Manager, type JsonResponse } from './manage.ts';
import { newHost, setDns } from './domains.ts';
import { seedTenant, type Tenant } from './seed.ts';
import { openIsolate, type Call } from './service.ts';

/** `/v1/webhooks`, from a caller's side. */

export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly tag: string | null;
  readonly campaign_name: string | null;
  readonly disabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_by: string | null;
  readonly failing_since: string | null;
  readonly failing_reason: string | null;
  readonly former_secret_ends_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

type WithSecret = WebhookRecord & { readonly secret: string };

export const LOOPBACK_URL = 'http://localhost:9999/hooks';

/** An isolate that allows webhooks to this machine, and asks the resolver of the tests. */
export const openWebhookIsolate = (more: Readonly<Record<string, string>> = {}): Call =>
  openIsolate({ DNS_RESOLVER_URL: inject('resolverUrl'), WEBHOOK_LOOPBACK: 'on', ...more });

/** An owner in such an isolate. */
export const openOwner = async (tenant?: Tenant, more: Readonly<Record<string, string>> = {}): Promise<Manager> =>
  openManager(tenant ?? (await seedTenant()), openWebhookIsolate(more));

/** Sends a new webhook. */
export const sendWebhook = ({ ask }: Manager, fields: object = {}): Promise<JsonResponse<WithSecret>> =>
  ask('POST', '/v1/webhooks', { url: LOOPBACK_URL, events: ['link.created'], ...fields });

/** Creates a webhook. */
export async function seedWebhook(owner: Manager, fields: object = {}): Promise<WithSecret> {
  const { status, body } = await sendWebhook(owner, fields);
  if (status !== 201) throw new Error(`creating answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A name that DNS has these addresses for. */
export async function seedHost(answer: Parameters<typeof setDns>[1]): Promise<string> {
  const host = newHost();
  await setDns(host, answer);
  return host;
}

export const webhookRow = (id: string) =>
  env.DB.prepare('SELECT * FROM webhooks WHERE id = ?').bind(id).first<Record<string, string | number | null>>();

/** The audit entries about webhooks. */
export async function webhookAudit({ ask }: Manager) {
  const { body } = await ask<{ entries: { action: string; subject: object; details: unknown }[] }>('GET', '/v1/audit');
  return body.entries
    .filter(({ action }) => action.startsWith('webhook.'))
    .map(({ action, subject, details }) => ({ action, subject, details }));
}

export function withoutSecret(webhook: WithSecret): WebhookRecord {
  const { secret: _, ...record } = webhook;
  return record;
}

export const refused = (error: string) => ({ result: 'Failed', error });

/** The keys of the service in the tests. */
export const WEBHOOK_KEYS = parseSealingKeys(env.WEBHOOK_KEYS ?? '')!;

/** Inserts a webhook whose URL no one is asked about, and returns its id. */
export async function seedWebhookRow(clientId: string, fields: Readonly<Record<string, string | number>> = {}) {
  const id = newHexId();
  const row = {
    id,
    client_id: clientId,
    url: 'https://hooks.example.com/terse',
    events: '["link.created"]',
    secret: await sealSecret(WEBHOOK_KEYS, id, newWebhookSecret()),
    created_at: 1,
    updated_at: 1,
    ...fields,
  };
  const columns = Object.keys(row);
  await env.DB.prepare(`INSERT INTO webhooks (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
    .bind(...Object.values(row))
    .run();
  return id;
}
