import { Hono } from 'hono';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { deliveryListQuery } from '../http/delivery-query.ts';
import { readQuery } from '../http/query.ts';
import { readPage } from '../input/pagination.ts';
import { toInstant } from '../time/instant.ts';
import { parseFields } from '../input/validation.ts';
import { getDelivery, listDeliveries, type Attempt, type Delivery } from '../webhooks/delivery/log.ts';
import { redeliver, redeliverSince, redeliveryFields, sendTestEvent } from '../webhooks/delivery/redeliver.ts';

const NOT_KEPT = 'sending an event again is not harmful, since it has the same id. Leave the header out.';

/** `/v1/webhooks/{id}/deliveries`: what was sent to a webhook, and how to send it again. */
export function deliveriesApi(): Hono<HttpEnv> {
  const deliveries = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: BEARER_CHALLENGE });

  deliveries.get('/v1/webhooks/:id/deliveries', refusal, async (c) => {
    const actor = readPerson(c);
    const id = c.req.param('id');
    const { client_id, state = null, ...page } = parseFields(deliveryListQuery(), readQuery(c));
    const list = readPage({ list: `deliveries of ${id}`, client_id, state }, page);
    const { deliveries, cursor } = await listDeliveries(c.var.db, await actor({ client_id }), id, state, list);
    return c.json({ deliveries: deliveries.map(present), cursor });
  });

  deliveries.get('/v1/webhooks/:id/deliveries/:event_id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const { id, event_id: eventId } = c.req.param();
    const { log, ...delivery } = await getDelivery(c.var.db, await actor(query), id, eventId);
    return c.json({ ...present(delivery), log: log.map(presentAttempt) });
  });

  deliveries.post('/v1/webhooks/:id/deliveries/:event_id/redeliver', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, NOT_KEPT);
    const query = readActorQuery(c);
    const { id, event_id: eventId } = c.req.param();
    return c.json(present(await redeliver(c.var.db, c.env.WEBHOOKS, await actor(query), id, eventId)));
  });

  deliveries.post('/v1/webhooks/:id/redeliver', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, NOT_KEPT);
    const query = readActorQuery(c);
    const { since } = parseFields(redeliveryFields(), await readJson(c.req.raw));
    const id = c.req.param('id');
    const begun = await redeliverSince(c.var.db, c.env.WEBHOOKS, await actor(query), id, since);
    return c.json({ redelivered: begun.redelivered, complete: begun.isComplete });
  });

  deliveries.post('/v1/webhooks/:id/test', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, 'each request sends another event. Leave the header out.');
    const query = readActorQuery(c);
    return c.json({ event_id: await sendTestEvent(c.var.db, await actor(query), c.req.param('id')) }, 202);
  });

  return deliveries;
}

function present(delivery: Delivery) {
  return {
    event_id: delivery.eventId,
    type: delivery.type,
    happened_at: toInstant(delivery.happenedAt),
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: toInstant(delivery.nextAttemptAt),
    delivered_at: toInstant(delivery.deliveredAt),
  };
}

function presentAttempt({ number, at, milliseconds, status, reason, response }: Attempt) {
  return { number, at: toInstant(at), milliseconds, status, reason, response };
}
