import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import worker from '../../src/index.ts';
// Loaded before the clock stands still: the time of a load would pass after that of the test.
import '../../src/app/confirm-by-refresh-token.ts';
import '../../src/clicks/send-kept.ts';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { clicksOf, deliver, packOf, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { breakD1, D1_FAULTS, loseResponses, endFaults, type Fault } from '../support/faults.ts';
import { seedLink, seedTenant } from '../support/seed.ts';

/** The consumer and the daily work, for which no caller waits, while D1 fails. */

afterEach(endFaults);

const THROWS = D1_FAULTS.find(({ name }) => name === 'throws')!;
/** A store that hangs for ever, and when it is first asked. */
function openHang(): { readonly fault: Fault; readonly asked: Promise<void> } {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const call = () => {
    resolve();
    return new Promise<never>(() => undefined);
  };
  return { fault: { name: 'hangs for ever', call }, asked };
}

/** True if some work has ended once so much time has passed. */
async function hasEndedAfter(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  work.then(end, end);
  await vi.advanceTimersByTimeAsync(milliseconds);
  return hasEnded;
}

describe.each(D1_FAULTS.filter(({ name }) => name !== 'hangs'))('a D1 that $name', (fault) => {
  it('a fault of D1 lets a message be asked for again, and counted once when D1 is back', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const pack = packOf(link, 3);
    breakD1(fault);
    expect(await deliver([pack])).toEqual(toComeAgainIn(5));
    endFaults();
    expect([await deliver([pack]), await deliver([pack])]).toEqual([TAKEN, TAKEN]);
    expect((await clicksOf(tenant, link)).total).toBe(3);
  });
});

it('a message that D1 has counted without saying so is counted once', async () => {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  const pack = packOf(link, 3);
  loseResponses(THROWS);
  expect(await deliver([pack])).toEqual(toComeAgainIn(5));
  endFaults();
  expect(await deliver([pack])).toEqual(TAKEN);
  expect((await clicksOf(tenant, link)).total).toBe(3);
});

describe('a D1 that hangs', () => {
  it('a D1 that hangs is given up on after 30 s by the consumer, and the message is asked for again', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const pack = packOf(link, 3);
    const { fault, asked } = openHang();
    breakD1(fault);
    const delivered = deliver([pack]);
    await asked;
    expect(await hasEndedAfter(TIMEOUT_MS.backgroundDatabase - 1, delivered)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await delivered).toEqual(toComeAgainIn(5));
    endFaults();
    expect(await deliver([pack])).toEqual(TAKEN);
    expect((await clicksOf(tenant, link)).total).toBe(3);
  });

  const CRONS = [
    { work: 'the daily work', parts: 7, cron: '17 4 * * *', at: Date.parse('2026-07-01T04:17:00Z') },
    { work: 'the frequent work', parts: 10, cron: FREQUENT_CRON, at: Date.parse('2026-07-01T12:30:00Z') },
    {
      work: 'the frequent work of the first minutes of an hour',
      parts: 11,
      cron: FREQUENT_CRON,
      at: Date.parse('2026-07-01T12:00:00Z'),
    },
  ];
  it.each(CRONS)(
    'a D1 that hangs is given up on after 30 s by $work, at each of its $parts parts',
    async ({ parts, cron, at }) => {
      const { fault, asked } = openHang();
      breakD1(fault);
      vi.setSystemTime(at);
      const done = worker.scheduled(createScheduledController({ cron }), env);
      done.catch(() => undefined);
      await asked;
      expect(await hasEndedAfter(parts * TIMEOUT_MS.backgroundDatabase - 1, done)).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await expect(done).rejects.toThrow(`no response within ${TIMEOUT_MS.backgroundDatabase} ms`);
      endFaults();
      await worker.scheduled(createScheduledController({ cron }), env);
    },
  );
});
