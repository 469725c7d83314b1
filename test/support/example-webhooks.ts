import * as example from '../../src/reference/examples.ts';
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

export const setWebhookDns = (): Promise<void> => setDns('hooks.example.com', { a: ['8.8.8.8'] });
