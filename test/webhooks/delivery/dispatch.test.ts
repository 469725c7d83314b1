import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryPace, PACE_BURST, PACE_MS } from '../../../src/events/delivery-pace.ts';
import type { DeliveryMessage } from '../../../src/webhooks/delivery/messages.ts';
import { addEvent, deliveryRow, openConsumer } from '../../support/deliveries.ts';
import { open } from '../../support/manage.ts';
import { addWebhook, eventRowsOf, uniqueSlug } from '../../support/webhooks.ts';

const newClient = () => `client-${crypto.randomUUID()}`;

async function seedClient(): Promise<string> {
  const id = newClient();
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(id).run();
  return id;
}

/** The webhooks to which events of a client are sent. */
async function webhooksOf(...eventIds: readonly string[]): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(
    'SELECT webhook_id FROM deliveries WHERE event_id IN (SELECT value FROM json_each(?1)) ORDER BY created_at, webhook_id',
  )
    .bind(JSON.stringify(eventIds))
    .all<{ webhook_id: string }>();
  return results.map(({ webhook_id }) => webhook_id);
}

const sorted = (...ids: readonly string[]) => ids.toSorted();

describe('an event', () => {
  it('an event becomes a delivery for each active webhook of its client that has its type', async () => {
    const [clientId, otherId] = [await seedClient(), await seedClient()];
    const one = await addWebhook(clientId);
    const two = await addWebhook(clientId, { events: ['key.created'] });
    await addWebhook(clientId, { events: ['key.revoked'] });
    await addWebhook(clientId, { disabledAt: 5 });
    await addWebhook(otherId);
    const event = await addEvent(clientId);
    const { consume, take } = openConsumer();
    expect(await consume({ event })).toEqual([]);
    expect(await webhooksOf(event)).toEqual(sorted(one, two));
    const at = (await deliveryRow({ webhook: one, event, at: 0 }))?.next_try_at;
    expect(take()).toHaveLength(2);
    expect(await deliveryRow({ webhook: two, event, at: 0 })).toEqual({
      webhook_id: two,
      event_id: event,
      created_at: at,
      tries: 0,
      next_try_at: at,
      delivered_at: null,
    });
    expect((await eventRowsOf(clientId))[0]).toMatchObject({ dispatched_at: at });
  });

  it('an event of a deleted client is sent to none', async () => {
    const clientId = await seedClient();
    await addWebhook(clientId);
    await env.DB.prepare(`INSERT INTO deletions VALUES (?1, 'u1', 1, 2, NULL)`).bind(clientId).run();
    const event = await addEvent(clientId);
    await openConsumer().consume({ event });
    expect(await webhooksOf(event)).toEqual([]);
    expect((await eventRowsOf(clientId))[0]?.dispatched_at).not.toBeNull();
  });

  it('an event is not sent to a webhook that was added after it', async () => {
    const clientId = await seedClient();
    await addWebhook(clientId);
    const event = await addEvent(clientId, { happenedAt: 0 });
    await openConsumer().consume({ event });
    expect(await webhooksOf(event)).toEqual([]);
    expect((await eventRowsOf(clientId))[0]?.dispatched_at).not.toBeNull();
  });

  it('an event is dispatched once, however often its message comes', async () => {
    const clientId = await seedClient();
    await addWebhook(clientId);
    const event = await addEvent(clientId);
    const { consume, take } = openConsumer();
    await Promise.all([consume({ event }, { event }), consume({ event })]);
    await addWebhook(clientId);
    await consume({ event });
    expect(await webhooksOf(event)).toHaveLength(1);
    expect(take()).toHaveLength(1);
  });

  it('an event of a client with more than a burst is due later, and those of others are not', async () => {
    const [clientId, otherId] = [await seedClient(), await seedClient()];
    await addWebhook(clientId);
    const other = await addWebhook(otherId);
    const pace = new DeliveryPace();
    const now = Date.now();
    for (let n = 0; n < PACE_BURST; n += 1) pace.next(clientId, now + 5000);
    const [first, second, others] = [await addEvent(clientId), await addEvent(clientId), await addEvent(otherId)];
    const { consume, take } = openConsumer({ pace });
    await consume({ event: first }, { event: second }, { event: others });
    const sent = take() as readonly { readonly body: DeliveryMessage; readonly delaySeconds: number }[];
    const due = sent.filter(({ body }) => body.webhook !== other).map(({ body }) => body.at);
    expect(due.toSorted((a, b) => a - b)).toEqual([now + 5000 + PACE_MS, now + 5000 + 2 * PACE_MS]);
    const message = sent.find(({ body }) => body.webhook === other);
    expect([message?.body.event, message?.delaySeconds]).toEqual([others, 0]);
    for (const { body } of sent) expect((await deliveryRow(body))?.next_try_at).toBe(body.at);
  });

  it('an event about a link goes to the webhooks whose tag and campaign it has', async () => {
    const clientId = await seedClient();
    const all = await addWebhook(clientId);
    const tagged = await addWebhook(clientId, { tagId: 't1' });
    const campaign = await addWebhook(clientId, { campaign: 'frühling' });
    const both = await addWebhook(clientId, { tagId: 't1', campaign: 'frühling' });
    const type = 'link.clicked';
    const plain = await addEvent(clientId, { type });
    const ofTag = await addEvent(clientId, { type, linkTags: ['t0', 't1'] });
    const ofCampaign = await addEvent(clientId, { type, linkCampaign: 'FRÜHLING' });
    const ofBoth = await addEvent(clientId, { type, linkTags: ['t1'], linkCampaign: 'Frühling' });
    await openConsumer().consume(...[plain, ofTag, ofCampaign, ofBoth].map((event) => ({ event })));
    expect(await webhooksOf(plain)).toEqual([all]);
    expect(await webhooksOf(ofTag)).toEqual(sorted(all, tagged));
    expect(await webhooksOf(ofCampaign)).toEqual(sorted(all, campaign));
    expect(await webhooksOf(ofBoth)).toEqual(sorted(all, tagged, campaign, both));
  });

  it('an event for one webhook goes to that one only, with any types', async () => {
    const clientId = await seedClient();
    const own = await addWebhook(clientId, { events: ['link.created'], tagId: 't1' });
    await addWebhook(clientId);
    const event = await addEvent(clientId, { type: 'webhook.test', webhookId: own });
    await openConsumer().consume({ event });
    expect(await webhooksOf(event)).toEqual([own]);
  });

  it('an event about a link keeps the record as the link was, with its short link', async () => {
    const { tenant, make, read, ask } = await open();
    await addWebhook(tenant.clientId, { events: ['link.created'] });
    const id = await make({ slug: 'Kept-1' });
    const { clicks: _, clicks_left: __, ...record } = (await read(id)) as unknown as Record<string, unknown>;
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://later.example/' });
    const [{ id: event } = { id: '' }] = await eventRowsOf(tenant.clientId);
    await openConsumer().consume({ event });
    const [row] = await eventRowsOf(tenant.clientId);
    expect(JSON.parse(row!.data)).toEqual(record);
  });

  it('an event has short links of the request’s origin while PUBLIC_URL is not set', async () => {
    const { tenant, make } = await open();
    await addWebhook(tenant.clientId, { events: ['link.created'] });
    await make({ slug: 'Local-1' });
    const [{ id: event } = { id: '' }] = await eventRowsOf(tenant.clientId);
    await openConsumer({ publicUrl: null }).consume({ event, origin: 'http://localhost:9999' });
    const [row] = await eventRowsOf(tenant.clientId);
    expect(JSON.parse(row!.data)).toMatchObject({ short_url: 'http://localhost:9999/Local-1' });
  });

  it.each([
    ['of the webhook’s requests if its own is not known', 'https://terse.acme.workers.dev', null],
    ['of npm start if none is known', null, null],
    ['of PUBLIC_URL in any case', 'https://terse.acme.workers.dev', new URL('https://go.example')],
  ])('an event has short links of the origin %s', async (_, origin, publicUrl) => {
    const { tenant, make } = await open();
    const webhook = await addWebhook(tenant.clientId, { events: ['link.created'] });
    await env.DB.prepare('UPDATE webhooks SET origin = ?2 WHERE id = ?1').bind(webhook, origin).run();
    const slug = uniqueSlug();
    await make({ slug });
    const [{ id: event } = { id: '' }] = await eventRowsOf(tenant.clientId);
    await openConsumer({ publicUrl }).consume({ event });
    const [row] = await eventRowsOf(tenant.clientId);
    const expected = publicUrl?.origin ?? origin ?? 'http://localhost:8787';
    expect(JSON.parse(row!.data)).toMatchObject({ short_url: `${expected}/${slug}` });
  });

  it('an event that is unknown is left out, and so is a message that cannot be read', async () => {
    const { consume, take } = openConsumer();
    expect(await consume({ event: 'evt_none' }, { event: 7 }, null, 'x', { webhook: 'w', event: 'e' })).toEqual([]);
    expect(take()).toEqual([]);
  });
});
