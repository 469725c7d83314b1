import { seedFailedDelivery } from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';
import type { Call } from './service.ts';
import { openWebhookIsolate, seedWebhookRow } from './webhook-owners.ts';

const throughWebhookIsolate: Call = (path, init) => openWebhookIsolate()(path, init);
const newWebhook = () => ({ url: 'http://localhost:9999/hook', events: ['link.created'] });
const ofWebhook = (name: string, status: number, rest = '', body?: object): Endpoint => ({
  name,
  needs: 'webhooks',
  status,
  ofOne: true,
  prepare: async (owner) => {
    const id = await seedWebhookRow(owner.clientId);
    return { path: `/v1/webhooks/${id}${rest}`, ...(body && { body }) };
  },
});

const ofDelivery = (name: string, rest: string): Endpoint => ({
  name,
  needs: 'webhooks',
  status: 200,
  ofOne: true,
  prepare: async (owner) => {
    const { webhook, event } = await seedFailedDelivery(owner.clientId);
    return { path: `/v1/webhooks/${webhook}/deliveries/${event}${rest}` };
  },
});

/** The endpoints of webhooks and of their deliveries. */
export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'GET /v1/webhooks',
    needs: 'webhooks',
    status: 200,
    ofOne: false,
    prepare: async () => ({ path: '/v1/webhooks' }),
  },
  {
    name: 'POST /v1/webhooks',
    needs: 'webhooks',
    status: 201,
    ofOne: false,
    through: throughWebhookIsolate,
    prepare: async () => ({ path: '/v1/webhooks', body: newWebhook() }),
  },
  ofWebhook('GET /v1/webhooks/{id}', 200),
  ofWebhook('PATCH /v1/webhooks/{id}', 200, '', { description: 'changed' }),
  ofWebhook('POST /v1/webhooks/{id}/roll', 200, '/roll'),
  ofWebhook('DELETE /v1/webhooks/{id}', 204),
  ofWebhook('GET /v1/webhooks/{id}/deliveries', 200, '/deliveries'),
  ofWebhook('POST /v1/webhooks/{id}/redeliver', 200, '/redeliver', { since: '2026-01-01T00:00:00Z' }),
  ofWebhook('POST /v1/webhooks/{id}/test', 202, '/test'),
  ofDelivery('GET /v1/webhooks/{id}/deliveries/{event_id}', ''),
  ofDelivery('POST /v1/webhooks/{id}/deliveries/{event_id}/redeliver', '/redeliver'),
];
