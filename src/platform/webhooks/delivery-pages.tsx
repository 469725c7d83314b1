import { Hono, type Context } from 'hono';
import { AppError } from '../../errors.ts';
import { readQuery } from '../../http/query.ts';
import { readPage } from '../../input/pagination.ts';
import { HOUR_MS } from '../../time/day.ts';
import { getDelivery, listDeliveries } from '../../webhooks/delivery/log.ts';
import { redeliver, redeliverSince, sendTestEvent } from '../../webhooks/delivery/redeliver.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { getWebhook } from '../../webhooks/webhooks.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { readFields } from '../forms/form.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { DeliveriesSection, DeliveryPage, SPANS } from './deliveries.tsx';

const WEBHOOK = '/platform/c/:client/webhooks/:id';

/** The pages with the deliveries of a webhook, and the forms to send them again, for owners. */
export function deliveryPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${WEBHOOK}/*`, signedIn, inClient, ownersOnly);

  pages.post(`${WEBHOOK}/test`, async (c) => {
    await sendTestEvent(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, pathOf(c), 'webhook-tested');
  });

  pages.post(`${WEBHOOK}/redeliver`, async (c) => {
    const { hours } = await readFields(c);
    const span = SPANS.find(([each]) => each === hours);
    if (!span) throw new AppError('malformed_body', 'Choose one of the times that the form offers.');
    const since = Date.now() - Number(span[0]) * HOUR_MS;
    const { isComplete } = await redeliverSince(c.var.db, c.env.WEBHOOKS, c.var.actor, c.req.param('id'), since);
    return seeOther(c, pathOf(c), isComplete ? 'webhook-redelivered' : 'webhook-redelivered-in-part');
  });

  pages.get(`${WEBHOOK}/deliveries/:event`, async (c) => {
    const { db, actor, client, session } = c.var;
    const { id, event } = c.req.param();
    const [webhook, delivery] = await Promise.all([getWebhook(db, actor, id), getDelivery(db, actor, id, event)]);
    const content = <DeliveryPage {...{ webhook, delivery, client }} timeZone={session.timeZone} />;
    return page(c, { title: c.var.words.text('webhooks.delivery') }, content);
  });

  pages.post(`${WEBHOOK}/deliveries/:event`, async (c) => {
    const { id, event } = c.req.param();
    await redeliver(c.var.db, c.env.WEBHOOKS, c.var.actor, id, event);
    return seeOther(c, `${pathOf(c)}/deliveries/${event}`, 'webhook-event-redelivered');
  });

  return pages;
}

const ROWS = 20;

/** The section of a webhook's page. Throws `invalid_cursor`, and what `listDeliveries` throws. */
export async function deliveriesOf(c: Context<PlatformEnv, typeof WEBHOOK>, webhook: Webhook) {
  const { db, actor, client, session } = c.var;
  const { cursor, show } = readQuery(c);
  const isFailedOnly = show === 'failed';
  const state = isFailedOnly ? 'unsuccessful' : null;
  const list = { list: `deliveries of ${webhook.id}`, client_id: client.id, state };
  const found = await listDeliveries(db, actor, webhook.id, state, readPage(list, { limit: ROWS, cursor }));
  const path = isFailedOnly ? `${pathOf(c)}?show=failed` : pathOf(c);
  const next = `${path}${isFailedOnly ? '&' : '?'}cursor=${encodeURIComponent(found.cursor ?? '')}`;
  const pages = { next: found.cursor === null ? null : next, first: cursor === undefined ? null : path };
  return (
    <DeliveriesSection
      {...{ webhook, client, isFailedOnly, pages }}
      deliveries={found.deliveries}
      timeZone={session.timeZone}
    />
  );
}

const pathOf = (c: Context<PlatformEnv, typeof WEBHOOK>): string =>
  clientPath(c.var.client, `webhooks/${c.req.param('id')}`);
