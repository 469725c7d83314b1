import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWebhookConsumer, type DeliverySettings } from '../../../src/webhooks/delivery/open.ts';
import { addDelivery, addEvent, attemptRows, holdBatches } from '../../support/deliveries.ts';
import { db } from '../../support/seed.ts';
import { seedWebhookRow, WEBHOOK_KEYS } from '../../support/webhook-owners.ts';

afterEach(() => void vi.restoreAllMocks());

/** Attempts a delivery to a webhook whose owner came by an origin; returns why no response came. */
async function attempt(url: string, origin: string, settings: Partial<DeliverySettings> = {}) {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('ok'));
  const clientId = `client-${crypto.randomUUID()}`;
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(clientId).run();
  const webhook = await seedWebhookRow(clientId, { url, origin });
  const body = await addDelivery(webhook, await addEvent(clientId, { dispatchedAt: 1 }));
  const consume = openWebhookConsumer({
    publicUrl: null,
    keys: WEBHOOK_KEYS,
    schedule: null,
    allowsLoopback: true,
    domainTarget: null,
    resolveAddresses: async () => ['8.8.8.8'],
    ...settings,
  });
  const batch = createMessageBatch('terse-webhooks', [{ id: '0', timestamp: new Date(), attempts: 1, body }]);
  const deferred: Promise<unknown>[] = [];
  await consume({ db, queue: holdBatches([]) }, batch.messages, (work) => void deferred.push(work));
  await Promise.all(deferred);
  return (await attemptRows(body)).map(({ status, fault }) => fault ?? status);
}

const PUBLIC_URL = new URL('https://go.example');

describe('a delivery in the background', () => {
  it.each<[what: string, url: string, origin: string, settings: Partial<DeliverySettings>]>([
    ['another port of this machine', 'http://localhost:8787/', 'http://localhost:9000', {}],
    ['another host', 'https://hooks.example/', 'https://terse.acme.workers.dev', {}],
    ['another host than PUBLIC_URL', 'https://hooks.example/', 'https://go.example', { publicUrl: PUBLIC_URL }],
  ])('a delivery in the background is sent to %s', async (_, url, origin, settings) => {
    expect(await attempt(url, origin, settings)).toEqual([200]);
  });

  it.each<[what: string, url: string, origin: string, settings: Partial<DeliverySettings>]>([
    ['the port of the service', 'http://localhost:9000/', 'http://localhost:9000', {}],
    ['its *.workers.dev name', 'https://terse.acme.workers.dev/', 'https://terse.acme.workers.dev', {}],
    ['the host of PUBLIC_URL', 'https://go.example/', 'https://old.example', { publicUrl: PUBLIC_URL }],
    ['DOMAIN_TARGET', 'https://to.example./', 'https://terse.acme.workers.dev', { domainTarget: 'to.example' }],
  ])('a delivery in the background is not sent to %s', async (_, url, origin, settings) => {
    expect(await attempt(url, origin, settings)).toEqual(['refused_host']);
  });

  it('a delivery in the background is not sent to the port of a database, which a webhook can have from before that rule', async () => {
    expect(await attempt('https://hooks.example:5432/', 'https://terse.acme.workers.dev')).toEqual(['refused_port']);
    expect(fetch).not.toHaveBeenCalled();
    expect(await attempt('http://localhost:5432/', 'http://localhost:9000')).toEqual([200]);
  });
});
