import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { MOST_AT_ONCE, Receivers } from '../../../src/webhooks/delivery/receivers.ts';
import { logged } from '../../support/clicks.ts';
import { failD1 } from '../../support/d1.ts';
import { addDelivery, addEvent, attemptRows, deliveryRow, openConsumer, webhookRow } from '../../support/deliveries.ts';
import { openReceiver, type Behaviour } from '../../support/receivers.ts';
import { db } from '../../support/seed.ts';
import { addWebhook } from '../../support/webhooks.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');

beforeEach(() => {
  vi.setSystemTime(NOW);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function seedWebhook(...behaviours: readonly Behaviour[]) {
  const clientId = `client-${crypto.randomUUID()}`;
  await env.DB.prepare('INSERT INTO clients (id, created_at) VALUES (?1, 1)').bind(clientId).run();
  const receiver = await openReceiver(...behaviours);
  const webhook = await addWebhook(clientId, { url: receiver.url });
  return { ...receiver, webhook, deliver: async () => addDelivery(webhook, await addEvent(clientId)) };
}

const unavailable = (code: ErrorCode) => new AppError(code, 'It is temporarily unavailable.');

describe('a delivery', () => {
  it('waits while its receiver hangs, without an attempt, and those of others do not', async () => {
    const hanging = await seedWebhook({ hangs: 'before' });
    const other = await seedWebhook({});
    const { consume, take } = openConsumer({ attemptMs: 300 });
    const [first, second, third] = [await hanging.deliver(), await hanging.deliver(), await other.deliver()];
    await consume(first);
    expect(await attemptRows(first)).toEqual([{ number: 1, status: null, fault: 'timeout', answer: '' }]);
    take();
    await consume(second, third);
    expect(await deliveryRow(second)).toMatchObject({ tries: 0, next_try_at: NOW + 60_000 });
    expect(take()).toEqual([{ body: { ...second, at: NOW + 60_000 }, delaySeconds: 60 }]);
    expect(await attemptRows(second)).toEqual([]);
    expect(await hanging.received()).toHaveLength(1);
    expect(await deliveryRow(third)).toMatchObject({ next_try_at: null, delivered_at: NOW });
  });

  it('is attempted while a receiver that hangs is waited for', async () => {
    const hanging = await seedWebhook({ hangs: 'before' });
    const other = await seedWebhook({});
    const messages = await Promise.all([1, 2, 3, 4].map(() => hanging.deliver()));
    const served = await other.deliver();
    const { consume } = openConsumer({ attemptMs: 20_000 });
    void consume(...messages, served).catch(() => {});
    await vi.waitFor(async () => expect((await deliveryRow(served))?.delivered_at).toBe(NOW), { timeout: 15_000 });
    expect(await attemptRows(messages[0]!)).toEqual([]);
  });

  it('waits while its webhook has several attempts under way', async () => {
    const { webhook, received, deliver } = await seedWebhook({});
    const receivers = new Receivers();
    for (let taken = 0; taken < MOST_AT_ONCE; taken++) receivers.take(webhook, NOW);
    // They take 25 seconds.
    receivers.leave(webhook, NOW - 25_000, NOW);
    const message = await deliver();
    const { consume, take } = openConsumer({ receivers });
    await consume(message);
    expect(await received()).toEqual([]);
    expect(take()).toEqual([{ body: { ...message, at: NOW + 5000 }, delaySeconds: 5 }]);
  });

  it('is attempted by one of several consumers that get its message', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = await deliver();
    await Promise.all([1, 2, 3].map(() => openConsumer().consume(message, message)));
    expect(await received()).toHaveLength(1);
    expect(await attemptRows(message)).toHaveLength(1);
  });

  it('whose message comes early waits on, for twelve hours at a time', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = { ...(await deliver()), at: NOW + 20 * 3_600_000 };
    await env.DB.prepare('UPDATE deliveries SET next_try_at = ?2 WHERE event_id = ?1')
      .bind(message.event, message.at)
      .run();
    const { consume, take } = openConsumer();
    await consume(message);
    expect(take()).toEqual([{ body: message, delaySeconds: 12 * 3600 }]);
    vi.setSystemTime(NOW + 12 * 3_600_000);
    await consume(message);
    expect(take()).toEqual([{ body: message, delaySeconds: 8 * 3600 }]);
    expect(await received()).toEqual([]);
    vi.setSystemTime(message.at);
    await consume(message);
    expect(await received()).toHaveLength(1);
  });

  it('whose time was changed since its message was sent has another message', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = await deliver();
    await env.DB.prepare('UPDATE deliveries SET next_try_at = ?2 WHERE event_id = ?1')
      .bind(message.event, NOW + 1)
      .run();
    const { consume, take } = openConsumer();
    await consume(message);
    expect([take(), await received()]).toEqual([[], []]);
  });

  it.each([
    ['resolver', 'resolver_unavailable'],
    ['database', 'store_unavailable'],
  ] as const)('waits while the %s does not respond, without an attempt', async (_, code) => {
    const { webhook, received, deliver } = await seedWebhook({});
    const message = await deliver();
    const problems = logged();
    const { consume, take } = openConsumer({
      checkHost: async () => {
        throw unavailable(code);
      },
    });
    await consume(message);
    expect(take()).toEqual([{ body: { ...message, at: NOW + 60_000 }, delaySeconds: 60 }]);
    expect([await received(), await attemptRows(message)]).toEqual([[], []]);
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: null });
    expect(problems()).toMatchObject([{ event: 'webhook_host_not_checked' }]);
  });

  it('of an hour ago fails if the resolver still does not respond, since the servers of its name may never do', async () => {
    const { webhook, received } = await seedWebhook({});
    const clientId = await env.DB.prepare('SELECT client_id FROM webhooks WHERE id = ?')
      .bind(webhook)
      .first('client_id');
    const message = await addDelivery(webhook, await addEvent(String(clientId)), { at: NOW - 3_600_000 });
    const problems = logged();
    const { consume, take } = openConsumer({
      checkHost: async () => {
        throw unavailable('resolver_unavailable');
      },
    });
    await consume(message);
    expect(await received()).toEqual([]);
    expect(await attemptRows(message)).toEqual([{ number: 1, status: null, fault: 'unreachable', answer: '' }]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 1, next_try_at: expect.any(Number) });
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: NOW });
    expect([take().length, problems().length]).toEqual([1, 1]);
  });

  it('fails if its host leads inside by now, and nothing is sent there', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = await deliver();
    const { consume, take } = openConsumer({
      checkHost: async () => {
        throw new AppError('invalid_url', 'url must lead to a host of the public internet.');
      },
    });
    await consume(message);
    expect(await received()).toEqual([]);
    expect(await attemptRows(message)).toEqual([{ number: 1, status: null, fault: 'refused_host', answer: '' }]);
    expect(take()).toHaveLength(1);
  });

  it('waits while the secret of its webhook cannot be read, and the log names the webhook alone', async () => {
    const { webhook, received, deliver } = await seedWebhook({});
    const message = await deliver();
    const problems = logged();
    const { consume, take } = openConsumer({
      openSecrets: async () => {
        throw new Error('no key fits');
      },
    });
    await consume(message);
    expect(take()).toEqual([{ body: { ...message, at: NOW + 60_000 }, delaySeconds: 60 }]);
    expect(await received()).toEqual([]);
    expect(problems()).toEqual([
      {
        level: 'error',
        event: 'webhook_secret_unreadable',
        detail: 'Error: no key fits',
        of_this_isolate: expect.any(Number),
        webhook_id: webhook,
      },
    ]);
  });

  it('is sent again if D1 does not respond before its attempt', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = await deliver();
    logged();
    const receivers = new Receivers();
    const { consume } = openConsumer({ receivers });
    const spies = vi.spyOn(db, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
    expect(new Set(await consume(message, { event: 'evt_1' }))).toEqual(new Set([0, 1]));
    spies.mockRestore();
    expect(await received()).toEqual([]);
    expect(await consume(message)).toEqual([]);
    expect(await received()).toHaveLength(1);
  });

  it('stays taken for a while if its attempt cannot be recorded, and then comes with the same id', async () => {
    const { received, deliver } = await seedWebhook({});
    const message = await deliver();
    const problems = logged();
    await openConsumer({ checkHost: async () => failD1() }).consume(message);
    expect(problems()).toMatchObject([{ event: 'webhook_attempt_not_recorded', event_id: message.event }]);
    vi.restoreAllMocks();
    const { next_try_at: at } = (await deliveryRow(message))!;
    expect(at).toBe(NOW + 90_000);
    vi.setSystemTime(at!);
    await openConsumer().consume({ ...message, at });
    const ids = (await received()).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([message.event, message.event]);
  });

  it('is not lost if the queue takes nothing: its row says when it is due', async () => {
    const { deliver } = await seedWebhook({ status: 500 });
    const message = await deliver();
    const problems = logged();
    const { consume } = openConsumer({
      queue: {
        sendBatch: async () => {
          throw new Error('Queue send failed: 429');
        },
      },
    });
    expect(await consume(message)).toEqual([]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 1, next_try_at: expect.any(Number) });
    expect(problems()).toMatchObject([{ event: 'webhook_queue_failed', messages: 1 }]);
  });
});
