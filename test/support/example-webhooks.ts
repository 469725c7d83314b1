import * as example from '../../scripts/reference/examples.ts';
import { setDns } from './domains.ts';

/** The webhook of the API document's examples, and the host that it leads to. */

export const EXAMPLE_WEBHOOKS = [
  {
    id: example.WEBHOOK_ID,
    client_id: example.CLIENT_ID,
    url: 'https://hooks.example.com/terse',
    description: 'Sales dashboard',
    events: '["link.created","link.clicked"]',
    campaign: example.CAMPAIGN,
    secret: 'none',
    created_at: Date.parse(example.NOW),
    updated_at: Date.parse(example.NOW),
  },
];

const HAPPENED_AT = Date.parse('2026-11-21T09:30:00.000Z');
const ids = { webhook_id: example.WEBHOOK_ID, event_id: example.EVENT_ID };

/** Its log: one event, whose delivery was given up. */
export const EXAMPLE_DELIVERIES = {
  events: [
    {
      id: example.EVENT_ID,
      client_id: example.CLIENT_ID,
      type: 'link.created',
      happened_at: HAPPENED_AT,
      data: '{}',
      dispatched_at: HAPPENED_AT + 500,
    },
  ],
  deliveries: [{ ...ids, created_at: HAPPENED_AT + 500, tries: 10, next_try_at: null, delivered_at: null }],
  delivery_tries: [
    {
      ...ids,
      number: 1,
      tried_at: HAPPENED_AT + 1000,
      ms: 112,
      status: 503,
      fault: null,
      answer: 'Service Unavailable',
    },
  ],
};

export const setWebhookDns = (): Promise<void> => setDns('hooks.example.com', { a: ['8.8.8.8'] });
