import * as z from 'zod';
import { deliveryListQuery } from '../../src/http/delivery-query.ts';
import { DELIVERY_STATES } from '../../src/webhooks/delivery/log.ts';
import { redeliveryFields } from '../../src/webhooks/delivery/redeliver.ts';
import { ACTOR_QUERY, OWNER } from './acting.ts';
import { EVENT_ID, NOW, WEBHOOK_ID } from './examples.ts';
import { instant, whole } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Webhooks', takes: ['bearer'], headers: ['X-Request-Id'] } as const;

const fields = () => ({
  event_id: z.string().meta({ description: 'The id of the event, which is the `webhook-id` of each attempt' }),
  type: z.string().meta({ description: 'The type of the event' }),
  happened_at: instant('When it happened'),
  state: z.enum(DELIVERY_STATES).meta({
    description: '`pending`: an attempt follows; `delivered`; `failed`: no further attempt follows by itself',
  }),
  attempts: whole('How many attempts there were, of which the newest 50 are kept'),
  next_attempt_at: instant('When the next attempt is due; null if none is').nullable(),
  delivered_at: instant('When the receiver accepted it; null if it has not').nullable(),
});
const delivery = output('Delivery', () => z.strictObject(fields()));
const deliveryWithLog = output('DeliveryWithLog', () =>
  z.strictObject({
    ...fields(),
    log: z.array(attempt()).meta({ description: 'The attempts, oldest first' }),
  }),
);
const attempt = output('DeliveryAttempt', () =>
  z.strictObject({
    number: whole('Its number, from 1'),
    at: instant('When it began'),
    milliseconds: whole('How long it took'),
    status: z.int().nullable().meta({ description: 'The status of the response; null if none came' }),
    reason: z.string().nullable().meta({
      description:
        'Why no response came: `timeout` (none within 15 seconds), `unreachable` (no connection), `refused_host` (not sent: the host has no public address in DNS, or is one of this service), `refused_port` (not sent: the port of the URL is one of a database, a cache or another protocol than HTTP), `unreadable_secret` (not sent: the service cannot decrypt the secret, so roll it); null if one came',
    }),
    response: z.string().meta({ description: 'The first KiB of the response' }),
  }),
);

const HAPPENED_AT = '2026-11-21T09:30:00.000Z';
const DELIVERY = {
  event_id: EVENT_ID,
  type: 'link.created',
  happened_at: HAPPENED_AT,
  state: 'failed',
  attempts: 1,
  next_attempt_at: null,
  delivered_at: null,
};
const ATTEMPT = {
  number: 1,
  at: '2026-11-21T09:30:01.000Z',
  milliseconds: 112,
  status: 503,
  reason: null,
  response: 'Service Unavailable',
};

const pathParameters = { id: { description: 'The id of the webhook', example: WEBHOOK_ID } };
const oneDelivery = { ...pathParameters, event_id: { description: 'The id of the event', example: EVENT_ID } };

export const deliveryEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...common,
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept for 30 days.',
    pathParameters,
    query: { schema: deliveryListQuery(), example: { limit: 20 } },
    list: listOf('DeliveryList', 'deliveries', delivery, 'newest first'),
    examples: [DELIVERY],
    who: OWNER,
    codes: ['not_found'],
  }),
  {
    ...common,
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{event_id}',
    operationId: 'getDelivery',
    summary: 'Get a delivery with its attempts',
    description: 'The response of the receiver to each attempt.',
    pathParameters: oneDelivery,
    query: ACTOR_QUERY,
    answers: {
      200: { description: 'The delivery', schema: deliveryWithLog, example: { ...DELIVERY, log: [ATTEMPT] } },
    },
    codes: [...OWNER, 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{event_id}/redeliver',
    operationId: 'redeliver',
    summary: 'Deliver an event again',
    description:
      'The event is sent now, with the same id and body. If that fails, the attempts follow the schedule from its start.',
    pathParameters: oneDelivery,
    query: ACTOR_QUERY,
    answers: {
      200: {
        description: 'The delivery',
        schema: delivery,
        example: { ...DELIVERY, state: 'pending', next_attempt_at: NOW },
      },
    },
    codes: ['invalid_idempotency_key', ...OWNER, 'not_found', 'webhook_disabled', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/webhooks/{id}/redeliver',
    operationId: 'redeliverFailed',
    summary: 'Deliver all failed events again',
    description:
      'Begins up to 1,000 deliveries anew that have failed, or wait for another attempt after a failed one, oldest first. If `complete` is false, repeat the request for the rest.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('Redelivery', redeliveryFields),
      example: { since: '2026-11-21T00:00:00Z' },
    },
    answers: {
      200: {
        description: 'How many deliveries begin anew',
        schema: output('Redelivered', () =>
          z.strictObject({
            redelivered: whole('How many deliveries begin anew'),
            complete: z.boolean().meta({ description: 'Whether these were all' }),
          }),
        ),
        example: { redelivered: 1, complete: true },
      },
    },
    codes: ['invalid_idempotency_key', ...OWNER, 'not_found', 'webhook_disabled', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test` to this webhook alone. Its delivery appears in the list within seconds.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: {
      202: {
        description: 'The event is on its way',
        schema: output('TestEvent', () =>
          z.strictObject({ event_id: z.string().meta({ description: 'The id of the event' }) }),
        ),
        example: { event_id: EVENT_ID },
      },
    },
    codes: ['invalid_idempotency_key', ...OWNER, 'not_found', 'webhook_disabled', 'store_unavailable'],
  },
];
