import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { TIMEOUT_MS } from '../../src/timeouts.ts';
import { clicksOf, deliver, packOf, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { breakD1, D1_FAULTS, loseAnswers, endFaults, type Fault } from '../support/faults.ts';
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

/** Whether some work has ended once so much time has passed. */
async function hasEndedAfter(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  work.then(end, end);
  await vi.advanceTimersByTimeAsync(milliseconds);
  return hasEnded;
}

describe.each(D1_FAULTS.filter(({ name }) => name !== 'hangs'))('while D1 $name', (fault) => {
  it('a message is asked for again, and is counted once when D1 is back', async () => {
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
  loseAnswers(THROWS);
  expect(await deliver([pack])).toEqual(toComeAgainIn(5));
  endFaults();
  expect(await deliver([pack])).toEqual(TAKEN);
  expect((await clicksOf(tenant, link)).total).toBe(3);
});

describe('a D1 that hangs is given up on after 30 s', () => {
  it('by the consumer, and the message is asked for again', async () => {
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

  it('by the daily work, at each of its seven parts', async () => {
    const { fault, asked } = openHang();
    breakD1(fault);
    const done = worker.scheduled(createScheduledController(), env);
    done.catch(() => undefined);
    await asked;
    expect(await hasEndedAfter(7 * TIMEOUT_MS.backgroundDatabase - 1, done)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect(done).rejects.toThrow(`no response within ${TIMEOUT_MS.backgroundDatabase} ms`);
    endFaults();
    await worker.scheduled(createScheduledController(), env);
  });
});
