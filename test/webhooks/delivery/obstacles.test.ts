import { describe, expect, it, vi } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/errors.ts';
import { Receivers } from '../../../src/webhooks/delivery/receivers.ts';
import { logged } from '../../support/clicks.ts';
import {
  attemptRows,
  beginTestsAt,
  deliveryRow,
  openConsumer,
  seedReceiver,
  webhookRow,
} from '../../support/deliveries.ts';

/** Deliveries that cannot be sent, for reasons of this side. */

const NOW = Date.parse('2026-05-20T12:00:00Z');
const HOUR_MS = 3_600_000;

beginTestsAt(NOW);

const unavailable = (code: ErrorCode) => new AppError(code, 'It is temporarily unavailable.');

describe('a delivery', () => {
  it.each([
    ['resolver', 'resolver_unavailable'],
    ['database', 'store_unavailable'],
  ] as const)('a delivery waits while the %s does not respond, without an attempt', async (_, code) => {
    const { webhook, received, deliver } = await seedReceiver({});
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

  it('a delivery of an hour ago fails if the resolver still does not respond, since the servers of its name may never do', async () => {
    const { webhook, received, deliver } = await seedReceiver({});
    const message = await deliver({ at: NOW - HOUR_MS });
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

  it('a delivery fails if its host leads inside by now, and nothing is sent there', async () => {
    const { received, deliver } = await seedReceiver({});
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

  it('a delivery waits while the secret of its webhook cannot be read, and the log names the webhook alone', async () => {
    const { webhook, received, deliver } = await seedReceiver({});
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

  it('a delivery of an hour ago fails if the secret still cannot be read, and says so', async () => {
    const { webhook, received, deliver } = await seedReceiver({});
    const message = await deliver({ at: NOW - HOUR_MS });
    const problems = logged();
    const { consume, take } = openConsumer({
      openSecrets: async () => {
        throw new Error('no key fits');
      },
    });
    await consume(message);
    expect(await received()).toEqual([]);
    expect(await attemptRows(message)).toEqual([{ number: 1, status: null, fault: 'unreadable_secret', answer: '' }]);
    expect(await deliveryRow(message)).toMatchObject({ tries: 1, next_try_at: expect.any(Number) });
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: NOW });
    expect([take().length, problems().length]).toEqual([1, 1]);
  });

  it.each([
    ['the resolver does not respond for one', 'resolver_unavailable', null],
    ['the secret cannot be read for one', null, 'no key fits'],
  ] as const)(
    'a delivery waits without a further look-up once %s of the same webhook',
    async (_, code, secretProblem) => {
      const { deliver } = await seedReceiver({});
      const [first, second] = [await deliver({ at: NOW - HOUR_MS }), await deliver()];
      logged();
      const receivers = new Receivers();
      const checkHost = vi.fn(async () => {
        if (code !== null) throw unavailable(code);
      });
      const openSecrets = vi.fn(async () => {
        if (secretProblem !== null) throw new Error(secretProblem);
        return [];
      });
      const { consume, take } = openConsumer({ receivers, checkHost, openSecrets });
      await consume(first);
      take();
      await consume(second);
      expect(take()).toEqual([{ body: { ...second, at: NOW + 60_000 }, delaySeconds: 60 }]);
      expect([checkHost.mock.calls.length, openSecrets.mock.calls.length]).toEqual([code === null ? 0 : 1, 1]);
    },
  );
});
