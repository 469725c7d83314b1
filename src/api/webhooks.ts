import { Hono } from 'hono';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat, SECRET_IS_SHOWN_ONCE } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { webhookToolsOf } from '../http/webhook-tools.ts';
import { toInstant } from '../time/instant.ts';
import { parseFields } from '../input/validation.ts';
import { newWebhookFields, webhookChangeFields, type Webhook } from '../webhooks/webhook.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rollWebhook,
} from '../webhooks/webhooks.ts';

/** `/v1/webhooks`: the URLs of a client that are sent events. */
export function webhooksApi(): Hono<HttpEnv> {
  const webhooks = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: BEARER_CHALLENGE });

  webhooks.get('/v1/webhooks', refusal, async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('webhooks', readQuery(c));
    const { webhooks, cursor } = await listWebhooks(c.var.db, await actor(query), query.page);
    return c.json({ webhooks: webhooks.map(present), cursor });
  });

  webhooks.post('/v1/webhooks', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, SECRET_IS_SHOWN_ONCE);
    const query = readActorQuery(c);
    const fields = parseFields(newWebhookFields(), await readJson(c.req.raw));
    const { webhook, secret } = await createWebhook(webhookToolsOf(c), await actor(query), fields);
    return c.json({ ...present(webhook), secret }, 201);
  });

  webhooks.get('/v1/webhooks/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    return c.json(present(await getWebhook(c.var.db, await actor(query), c.req.param('id'))));
  });

  webhooks.patch('/v1/webhooks/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const change = parseFields(webhookChangeFields(), await readJson(c.req.raw), { emptyIsAbsent: false });
    return c.json(present(await changeWebhook(webhookToolsOf(c), await actor(query), c.req.param('id'), change)));
  });

  webhooks.post('/v1/webhooks/:id/roll', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, SECRET_IS_SHOWN_ONCE);
    const query = readActorQuery(c);
    const { webhook, secret } = await rollWebhook(webhookToolsOf(c), await actor(query), c.req.param('id'));
    return c.json({ ...present(webhook), secret });
  });

  webhooks.delete('/v1/webhooks/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    await deleteWebhook(c.var.db, await actor(query), c.req.param('id'));
    return c.body(null, 204);
  });

  return webhooks;
}

function present(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    tag: webhook.tag?.name ?? null,
    campaign_name: webhook.campaignName,
    disabled: webhook.disabledAt !== null,
    disabled_at: toInstant(webhook.disabledAt),
    disabled_by: webhook.disabledBy,
    failing_since: toInstant(webhook.failingSince),
    failing_reason: webhook.portFault === null ? null : 'refused_port',
    former_secret_ends_at: toInstant(webhook.formerSecretEndsAt),
    created_at: toInstant(webhook.createdAt),
    updated_at: toInstant(webhook.updatedAt),
  };
}
