import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import {
  addDelivery,
  addEvent,
  attemptRows,
  beginTestsAt,
  deliveryRow,
  openConsumer,
  SECRET,
  webhookRow,
} from '../../support/deliveries.ts';
import { openReceiver, type Behaviour } from '../../support/receivers.ts';
import { addWebhook } from '../../support/webhooks.ts';

const NOW = Date.parse('2026-05-20T12:00:00.250Z');
const DAY_MS = 86_400_000;

beginTestsAt(NOW);

/** A delivery that is due at `NOW`, to a receiver that behaves like this. */
async function seedDelivery(...behaviours: readonly Behaviour[]) {
  const clientId = `client-${crypto.randomUUID()}`;
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(clientId).run();
  const receiver = await openReceiver(...behaviours);
  const webhook = await addWebhook(clientId, { url: receiver.url });
  const event = await addEvent(clientId, { data: { id: 'k1', name: 'Ünïcode' }, happenedAt: NOW - 5000 });
  return { ...receiver, clientId, webhook, message: await addDelivery(webhook, event) };
}

const auditOf = async (clientId: string) =>
  (
    await env.DB.prepare(
      'SELECT action, subject_id, subject_name, details, credential_kind FROM audit_entries WHERE client_id = ?',
    )
      .bind(clientId)
      .all()
  ).results;

describe('an attempt', () => {
  it('an attempt sends the event, signed, and ends the delivery when the receiver accepts it', async () => {
    const { received, webhook, message } = await seedDelivery({ status: 204 });
    const { consume, take } = openConsumer();
    expect(await consume(message)).toEqual([]);
    const [request, ...more] = await received();
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Terse-Webhooks/1',
        'webhook-id': message.event,
        'webhook-timestamp': String(Math.floor(NOW / 1000)),
        'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
      },
    });
    const body = { type: 'key.created', timestamp: '2026-05-20T11:59:55.250Z', data: { id: 'k1', name: 'Ünïcode' } };
    expect(new Webhook(SECRET).verify(request!.body, { ...request!.headers })).toEqual(body);
    expect(await deliveryRow(message)).toMatchObject({ tries: 1, next_try_at: null, delivered_at: expect.any(Number) });
    expect(await attemptRows(message)).toEqual([{ number: 1, status: 204, fault: null, answer: '' }]);
    expect(take()).toEqual([]);
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: null, disabled_at: null });
    // The message comes again.
    await consume(message);
    expect(await received()).toHaveLength(1);
  });

  it('an attempt is repeated with the same id and body until the receiver accepts it: nine failures, then a success', async () => {
    const failures = Array.from({ length: 9 }, () => ({ status: 500, answer: 'down' }));
    const { received, webhook, message } = await seedDelivery(...failures, { status: 200, answer: 'ok' });
    const { consume, take } = openConsumer();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const waits: number[] = [];
    let next: unknown = message;
    for (let attempt = 1; attempt <= 10; attempt++) {
      await consume(next);
      const { next_try_at: at } = (await deliveryRow(message))!;
      if (at === null) break;
      expect((await webhookRow(webhook)).failing_since).toBe(NOW);
      waits.push((at - Date.now()) / 1000);
      vi.setSystemTime(at);
      next = take()[0]?.body;
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    const requests = await received();
    expect(requests).toHaveLength(10);
    expect(new Set(requests.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    expect(new Webhook(SECRET).verify(requests[9]!.body, { ...requests[9]!.headers })).toMatchObject({
      data: { id: 'k1' },
    });
    expect(await attemptRows(message)).toEqual([
      ...failures.map((_, index) => ({ number: index + 1, status: 500, fault: null, answer: 'down' })),
      { number: 10, status: 200, fault: null, answer: 'ok' },
    ]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 10, next_try_at: null, delivered_at: Date.now() });
    expect((await webhookRow(webhook)).failing_since).toBeNull();
  });

  it('an attempt after nine others is the last one, and then the delivery is given up', async () => {
    const { webhook, message } = await seedDelivery({ status: 503 });
    await env.DB.prepare('UPDATE deliveries SET tries = 9 WHERE event_id = ?').bind(message.event).run();
    const { consume, take } = openConsumer();
    await consume(message);
    expect(take()).toEqual([]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 10, next_try_at: null, delivered_at: null });
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: NOW, disabled_at: null });
  });

  it.each([
    ['a redirect, which is not followed', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, 302, null],
    ['a status of its own', { status: 418, answer: 'a teapot' }, 418, null],
    ['a connection that ends', { ends: true }, null, 'unreachable'],
  ] as const)('an attempt fails by %s', async (_how, behaviour, status, fault) => {
    const { received, message } = await seedDelivery(behaviour);
    const { consume, take } = openConsumer();
    await consume(message);
    expect(await attemptRows(message)).toMatchObject([{ number: 1, status, fault }]);
    expect(await received()).toHaveLength(1);
    const [{ body, delaySeconds } = {}] = take();
    expect(body).toEqual({ ...message, at: (await deliveryRow(message))?.next_try_at });
    expect([5, 6]).toContain(delaySeconds);
  });

  it('an attempt that gets a 410 disables the webhook, and says so in the audit log', async () => {
    const { clientId, webhook, message } = await seedDelivery({ status: 410 });
    const { consume, take } = openConsumer();
    await consume(message);
    expect(take()).toEqual([]);
    expect(await deliveryRow(message)).toMatchObject({ next_try_at: null, delivered_at: null });
    expect(await webhookRow(webhook)).toMatchObject({ disabled_by: 'gone', disabled_at: expect.any(Number) });
    expect(await auditOf(clientId)).toEqual([
      {
        action: 'webhook.disabled',
        subject_id: webhook,
        subject_name: '127.0.0.1',
        details: '{"by":"gone"}',
        credential_kind: 'service',
      },
    ]);
  });

  it('an attempt that gets a 410 does not disable the webhook if it has another URL by then', async () => {
    const { clientId, webhook, message } = await seedDelivery({ status: 410 });
    const { consume } = openConsumer({
      checkHost: async () => {
        await env.DB.prepare(`UPDATE webhooks SET url = 'https://new.example/' WHERE id = ?`).bind(webhook).run();
      },
    });
    await consume(message);
    expect(await attemptRows(message)).toMatchObject([{ number: 1, status: 410 }]);
    expect(await webhookRow(webhook)).toMatchObject({ disabled_by: null, disabled_at: null });
    expect(await auditOf(clientId)).toEqual([]);
  });

  it('an attempt that fails after five days of failures disables the webhook, once', async () => {
    const { clientId, webhook, message } = await seedDelivery({ status: 500 });
    const { consume } = openConsumer();
    await addDelivery(webhook, await addEvent(clientId), { at: NOW - 2 * DAY_MS, tries: 8 });
    const failing = (since: number) =>
      env.DB.prepare('UPDATE webhooks SET failing_since = ?2 WHERE id = ?1').bind(webhook, since).run();
    await failing(NOW - 5 * DAY_MS + 60_000);
    await consume(message);
    expect((await webhookRow(webhook)).disabled_at).toBeNull();
    await failing(NOW - 5 * DAY_MS);
    const others = await Promise.all([1, 2].map(async () => addDelivery(webhook, await addEvent(clientId))));
    await consume(...others);
    expect(await webhookRow(webhook)).toMatchObject({ disabled_by: 'failures', disabled_at: expect.any(Number) });
    expect(await auditOf(clientId)).toHaveLength(1);
  });

  it.each([
    ['nothing', []],
    ['an event that it accepted', [{ at: NOW - 2 * DAY_MS, isDelivered: true }]],
    ['an event of the last day', [{ at: NOW - DAY_MS + 1, isDelivered: false }]],
    ['an event of nine days ago', [{ at: NOW - 9 * DAY_MS, isDelivered: false }]],
  ])(
    'an attempt that fails days after another one, and after %s since, begins the time of failures anew',
    async (_, former) => {
      const { clientId, webhook, message } = await seedDelivery({ status: 500 });
      await env.DB.prepare('UPDATE webhooks SET failing_since = ?2 WHERE id = ?1')
        .bind(webhook, NOW - 9 * DAY_MS)
        .run();
      for (const { at, isDelivered } of former) {
        const { event } = await addDelivery(webhook, await addEvent(clientId), { at });
        await env.DB.prepare('UPDATE deliveries SET next_try_at = NULL, delivered_at = ?2 WHERE event_id = ?1')
          .bind(event, isDelivered ? at : null)
          .run();
      }
      const info = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      await openConsumer().consume(message);
      expect(await webhookRow(webhook)).toEqual({ disabled_at: null, disabled_by: null, failing_since: NOW });
      expect(await auditOf(clientId)).toEqual([]);
      expect(info.mock.calls.join(' ')).not.toContain('webhook_disabled');
    },
  );

  it('an attempt is not begun for a webhook that was disabled, and the delivery is given up', async () => {
    const { webhook, received, message } = await seedDelivery({});
    await env.DB.prepare('UPDATE webhooks SET disabled_at = 1 WHERE id = ?').bind(webhook).run();
    await openConsumer().consume(message);
    expect(await received()).toEqual([]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 0, next_try_at: null, delivered_at: null });
    expect(await attemptRows(message)).toEqual([]);
  });

  it('an attempt keeps the first KiB of the response, without waiting for more', async () => {
    const long = await seedDelivery({ answer: `ab\0${'é'.repeat(600)}` });
    await openConsumer().consume(long.message);
    const [{ answer } = { answer: '' }] = await attemptRows(long.message);
    // Half a character is left out at its end.
    expect(answer).toBe(`ab\u{fffd}${'é'.repeat(510)}`);
    const endless = await seedDelivery({ answer: 'x'.repeat(2000), hangs: 'after' });
    await openConsumer().consume(endless.message);
    expect(await attemptRows(endless.message)).toEqual([
      { number: 1, status: 200, fault: null, answer: 'x'.repeat(1024) },
    ]);
  });

  it('an attempt is signed by both secrets during a roll', async () => {
    const former = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    const { received, message } = await seedDelivery({});
    await openConsumer({ openSecrets: async () => [SECRET, former] }).consume(message);
    const [{ body, headers } = { body: '', headers: {} }] = await received();
    for (const secret of [SECRET, former]) expect(new Webhook(secret).verify(body, { ...headers })).toBeTruthy();
  });

  it('an attempt keeps the newest fifty in the log', async () => {
    const { webhook, message } = await seedDelivery({ status: 500 });
    const insert = env.DB.prepare(
      'INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms) VALUES (?1, ?2, ?3, 1, 1)',
    );
    await env.DB.batch(Array.from({ length: 50 }, (_, index) => insert.bind(webhook, message.event, index + 1)));
    await openConsumer().consume(message);
    const numbers = (await attemptRows(message)).map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([50, 2, 51]);
  });
});
