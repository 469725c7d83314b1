import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { MAX_AT_ONCE, Receivers } from '../../../src/webhooks/delivery/receivers.ts';
import { logged } from '../../support/clicks.ts';
import { failD1 } from '../../support/d1.ts';
import { attemptRows, beginTestsAt, deliveryRow, openConsumer, seedReceiver } from '../../support/deliveries.ts';
import { db } from '../../support/seed.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');

beginTestsAt(NOW);

describe('a delivery', () => {
  it('a delivery waits while its receiver hangs, without an attempt, and those of others do not', async () => {
    const hanging = await seedReceiver({ hangs: 'before' });
    const other = await seedReceiver({});
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

  it('a delivery has 15 seconds for an attempt, by default', async () => {
    const { deliver } = await seedReceiver({});
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await openConsumer().consume(await deliver());
    expect(timeout.mock.calls).toEqual([[15_000]]);
  });

  it('a delivery is delivered by a response whose body never ends, and the next one waits', async () => {
    const { received, deliver } = await seedReceiver({ answer: 'ten bytes.', hangs: 'after' });
    const [first, second] = [await deliver(), await deliver()];
    const { consume, take } = openConsumer({ attemptMs: 300 });
    await consume(first);
    expect(await attemptRows(first)).toEqual([{ number: 1, status: 200, fault: null, answer: 'ten bytes.' }]);
    expect(await deliveryRow(first)).toMatchObject({ tries: 1, next_try_at: null, delivered_at: NOW });
    expect(take()).toEqual([]);
    await consume(second);
    expect(take()).toEqual([{ body: { ...second, at: NOW + 60_000 }, delaySeconds: 60 }]);
    expect(await received()).toHaveLength(1);
  });

  it.each([
    ['responds with an error', { status: 500 }, 60_000],
    ['closes the connection', { ends: true }, 120_000],
  ] as const)(
    'a delivery waits at the next pause of a receiver that %s after one: %j, for %i ms',
    async (_, then, ms) => {
      const { deliver } = await seedReceiver({ hangs: 'before' }, then, { hangs: 'before' });
      const { consume, take } = openConsumer({ attemptMs: 300 });
      await consume(await deliver());
      vi.setSystemTime(NOW + 60_000);
      await consume(await deliver());
      await consume(await deliver());
      take();
      const waiting = await deliver();
      await consume(waiting);
      expect(take()).toEqual([{ body: { ...waiting, at: NOW + 60_000 + ms }, delaySeconds: ms / 1000 }]);
    },
  );

  it('a delivery is attempted while a receiver that hangs is waited for', async () => {
    const hanging = await seedReceiver({ hangs: 'before' });
    const other = await seedReceiver({});
    const messages = await Promise.all([1, 2, 3, 4].map(() => hanging.deliver()));
    const served = await other.deliver();
    const attempts = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(attempts.signal);
    const consumed = openConsumer().consume(...messages, served);
    await expect.poll(async () => (await deliveryRow(served))?.delivered_at).toBe(NOW);
    expect(await attemptRows(messages[0]!)).toEqual([]);
    // Or else they would write into the database of a later test.
    attempts.abort(new DOMException('', 'TimeoutError'));
    await consumed;
    expect(await attemptRows(messages[0]!)).toEqual([{ number: 1, status: null, fault: 'timeout', answer: '' }]);
  });

  it('a delivery waits while its webhook has several attempts under way', async () => {
    const { webhook, received, deliver } = await seedReceiver({});
    const receivers = new Receivers();
    for (let taken = 0; taken < MAX_AT_ONCE; taken++) receivers.take(webhook, NOW);
    // They take 25 seconds.
    receivers.leave(webhook, NOW - 25_000, NOW);
    const message = await deliver();
    const { consume, take } = openConsumer({ receivers });
    await consume(message);
    expect(await received()).toEqual([]);
    expect(take()).toEqual([{ body: { ...message, at: NOW + 5000 }, delaySeconds: 5 }]);
  });

  it('a delivery is attempted by one of several consumers that get its message', async () => {
    const { received, deliver } = await seedReceiver({});
    const message = await deliver();
    await Promise.all([1, 2, 3].map(() => openConsumer().consume(message, message)));
    expect(await received()).toHaveLength(1);
    expect(await attemptRows(message)).toHaveLength(1);
  });

  it('a delivery whose message comes early waits on, for twelve hours at a time', async () => {
    const { received, deliver } = await seedReceiver({});
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

  it('a delivery whose time was changed since its message was sent has another message', async () => {
    const { received, deliver } = await seedReceiver({});
    const message = await deliver();
    await env.DB.prepare('UPDATE deliveries SET next_try_at = ?2 WHERE event_id = ?1')
      .bind(message.event, NOW + 1)
      .run();
    const { consume, take } = openConsumer();
    await consume(message);
    expect([take(), await received()]).toEqual([[], []]);
  });

  it('a delivery of a deleted client is given up, and of a restored one is sent', async () => {
    const { clientId, received, deliver } = await seedReceiver({});
    await env.DB.prepare(`INSERT INTO deletions VALUES (?1, 'u1', 1, 2, NULL)`).bind(clientId).run();
    const [deleted, restored] = [await deliver(), await deliver()];
    await openConsumer().consume(deleted);
    expect([await received(), await attemptRows(deleted)]).toEqual([[], []]);
    expect(await deliveryRow(deleted)).toMatchObject({ tries: 0, next_try_at: null, delivered_at: null });
    await env.DB.prepare('UPDATE deletions SET undone_at = 2 WHERE client_id = ?').bind(clientId).run();
    await openConsumer().consume(restored);
    expect((await received()).map(({ headers }) => headers['webhook-id'])).toEqual([restored.event]);
  });

  it('a delivery is sent again if D1 does not respond before its attempt', async () => {
    const { received, deliver } = await seedReceiver({});
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

  it('a delivery stays taken for a while if its attempt cannot be recorded, and then comes with the same id', async () => {
    const { received, deliver } = await seedReceiver({});
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

  it('a delivery is not lost if the queue takes nothing: its row says when it is due', async () => {
    const { deliver } = await seedReceiver({ status: 500 });
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
