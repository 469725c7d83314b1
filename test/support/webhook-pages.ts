import { env } from 'cloudflare:workers';
import * as example from '../../scripts/reference/examples.ts';
import { newNonce } from '../../src/secrets/random-secrets.ts';
import { ok, posted, type Page } from './page.ts';

/** The pages of webhooks, with the data that they need besides those of the examples. */

const WEBHOOKS = '/platform/c/:client/webhooks';
const WEBHOOK = `${WEBHOOKS}/:id`;

// An address needs no question to DNS.
const URL_OF_ADDRESS = 'https://8.8.8.8/hooks';

export const WEBHOOK_PAGES: Readonly<Record<string, Page>> = {
  [`GET ${WEBHOOKS}`]: ok,
  [`GET ${WEBHOOKS}/new`]: ok,
  [`POST ${WEBHOOKS}/new`]: {
    status: 201,
    fields: () => ({ url: URL_OF_ADDRESS, events: 'link.created', nonce: newNonce() }),
  },
  [`GET ${WEBHOOK}`]: ok,
  [`POST ${WEBHOOK}`]: posted({ url: URL_OF_ADDRESS, events: 'link.clicked', description: 'x' }),
  [`POST ${WEBHOOK}/disable`]: posted(),
  [`POST ${WEBHOOK}/enable`]: posted(),
  [`GET ${WEBHOOK}/roll`]: ok,
  [`POST ${WEBHOOK}/roll`]: { status: 200, fields: () => ({ nonce: newNonce() }) },
  [`GET ${WEBHOOK}/delete`]: ok,
  [`POST ${WEBHOOK}/delete`]: posted(),
  [`POST ${WEBHOOK}/test`]: posted(),
  [`POST ${WEBHOOK}/redeliver`]: posted({ hours: '24' }),
  [`GET ${WEBHOOK}/deliveries/:event`]: ok,
  [`POST ${WEBHOOK}/deliveries/:event`]: posted(),
};

export const PAGE_EVENT_ID = 'evt_00000000000000000000000000000001';

/** Statements for a failed delivery of the webhook of the examples. */
export function pageDelivery(at = Date.now()): D1PreparedStatement[] {
  return [
    env.DB.prepare(
      `INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at) VALUES (?1, ?2, 'link.created', ?3, '{}', ?3)`,
    ).bind(PAGE_EVENT_ID, example.CLIENT_ID, at),
    env.DB.prepare('INSERT INTO deliveries (webhook_id, event_id, created_at, tries) VALUES (?1, ?2, ?3, 1)').bind(
      example.WEBHOOK_ID,
      PAGE_EVENT_ID,
      at,
    ),
    env.DB.prepare(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, answer)
       VALUES (?1, ?2, 1, ?3, 42, 500, 'out of disk <b>space</b>')`,
    ).bind(example.WEBHOOK_ID, PAGE_EVENT_ID, at),
  ];
}
