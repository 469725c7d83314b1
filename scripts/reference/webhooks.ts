import * as z from 'zod';
import { EVENT_NAMES } from '../../src/events/types.ts';
import { newWebhookFields, webhookChangeFields } from '../../src/webhooks/webhook.ts';
import { ACTOR_QUERY, OWNER } from './acting.ts';
import { CAMPAIGN, NOW, WEBHOOK_ID } from './examples.ts';
import { instant } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Webhooks', takes: ['bearer'], headers: ['X-Request-Id'] } as const;

const fields = () => ({
  id: z.string().meta({ description: 'The id of the webhook' }),
  url: z.string().meta({ description: 'Where events are sent' }),
  description: z.string().meta({ description: 'A note for people' }),
  events: z.array(z.string()).meta({ description: `The types of events that are sent: ${EVENT_NAMES.join(', ')}` }),
  tag: z.string().nullable().meta({ description: 'Limits events about links to those with this tag; null for all' }),
  campaign_name: z.string().nullable().meta({
    description: 'Limits events about links to those of this campaign, whose case does not matter; null for all',
  }),
  disabled: z.boolean().meta({ description: 'Whether no events are sent' }),
  disabled_at: instant('When it was disabled; null if it is not').nullable(),
  disabled_by: z.string().nullable().meta({
    description:
      'Why it is disabled: `owner` (an owner did so), `gone` (it answered 410), `failures` (no delivery succeeded for five days); null if it is not',
  }),
  failing_since: instant('When the first delivery failed since the last that succeeded; null if none has').nullable(),
  failing_reason: z.string().nullable().meta({
    description:
      'Why nothing can be sent to its URL: `refused_port` (the port is one of a database, a cache or another protocol than HTTP); null if nothing is known. The reason of each attempt is in the log of deliveries',
  }),
  former_secret_ends_at: instant(
    'Until when deliveries are signed by the secret from before the last roll too; null if by one alone',
  ).nullable(),
  created_at: instant('When the webhook was created'),
  updated_at: instant('When it was last changed'),
});
const webhook = output('Webhook', () => z.strictObject(fields()));
const webhookWithSecret = output('WebhookWithSecret', () =>
  z.strictObject({
    ...fields(),
    secret: z.string().meta({ description: 'The secret that signs deliveries, shown only once: `whsec_` and base64' }),
  }),
);

const WEBHOOK = {
  id: WEBHOOK_ID,
  url: 'https://hooks.example.com/terse',
  description: 'Sales dashboard',
  events: ['link.created', 'link.clicked'],
  tag: null,
  campaign_name: CAMPAIGN,
  disabled: false,
  disabled_at: null,
  disabled_by: null,
  failing_since: null,
  failing_reason: null,
  former_secret_ends_at: null,
  created_at: NOW,
  updated_at: NOW,
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const pathParameters = { id: { description: 'The id of the webhook', example: WEBHOOK_ID } };
const URL_CODES = ['too_long', 'own_host', 'blocked_host'] as const;
const FIELD_CODES = [] as const;

export const webhookEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...common,
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks, newest first',
    description: 'For owners. Secrets are not part of it.',
    list: listOf('WebhookList', 'webhooks', webhook, 'newest first'),
    examples: [WEBHOOK],
    who: OWNER,
  }),
  {
    ...common,
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events are sent to its URL as Standard Webhooks 1.0.0 describes, signed with its secret, which is shown only once. The URL must lead to the public internet. A client can have 20.',
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('NewWebhook', newWebhookFields),
      example: {
        url: 'https://hooks.example.com/links',
        events: ['link.created', 'link.deleted'],
        description: 'Archive',
      },
    },
    answers: {
      201: {
        description: 'The webhook and its secret',
        schema: webhookWithSecret,
        example: {
          ...WEBHOOK,
          url: 'https://hooks.example.com/links',
          events: ['link.created', 'link.deleted'],
          description: 'Archive',
          campaign_name: null,
          secret: SECRET,
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      ...OWNER,
      ...URL_CODES,
      ...FIELD_CODES,
      'too_many_webhooks',
      'webhooks_off',
      'resolver_unavailable',
      'store_unavailable',
    ],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'For owners. The secret is not part of it: `POST /v1/webhooks/{id}/roll` gives a new one.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: { 200: { description: 'The webhook', schema: webhook, example: WEBHOOK } },
    codes: [...OWNER, 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'changeWebhook',
    summary: 'Change, disable or enable a webhook',
    description:
      'An absent field stays unchanged; null clears `tag` and `campaign_name`. Events that happen while it is disabled are not sent later.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('WebhookChange', webhookChangeFields),
      example: { events: ['link.created'], campaign_name: null },
    },
    answers: {
      200: {
        description: 'The webhook',
        schema: webhook,
        example: { ...WEBHOOK, events: ['link.created'], campaign_name: null },
      },
    },
    codes: [...OWNER, ...URL_CODES, ...FIELD_CODES, 'not_found', 'resolver_unavailable', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/webhooks/{id}/roll',
    operationId: 'rollWebhook',
    summary: 'Roll the secret of a webhook',
    description: 'Deliveries are signed with the new secret, and for 24 more hours with the previous one too.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: {
      200: {
        description: 'The webhook and its new secret',
        schema: webhookWithSecret,
        example: { ...WEBHOOK, former_secret_ends_at: '2026-11-22T10:00:00.000Z', secret: SECRET },
      },
    },
    codes: ['invalid_idempotency_key', ...OWNER, 'not_found', 'webhooks_off', 'store_unavailable'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description:
      'Its deliveries are deleted with it. If it has very many, the first response is 503, and the webhook is disabled: ' +
      'repeat the request.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: { 204: { description: 'It is deleted' } },
    codes: [...OWNER, 'not_found', 'busy', 'store_unavailable'],
  },
];
