import { describe, expect, it, vi } from 'vitest';
import {
  attemptRows,
  beginTestsAt,
  deliveryRow,
  openConsumer,
  seedReceiver,
  type Sent,
} from '../../support/deliveries.ts';

/** Many deliveries that wait for one receiver. */

const NOW = Date.parse('2026-05-20T12:00:00Z');
const HOUR_MS = 3_600_000;

beginTestsAt(NOW);

async function seedBacklog(count: number) {
  const { deliver } = await seedReceiver({ hangs: 'before' });
  const messages = [];
  for (let index = 0; index < count; index++) messages.push(await deliver());
  return messages;
}

/** Consumes messages, and all that follow from them, when they are due, until an instant; returns how many there were. */
async function consumeUntil(
  end: number,
  messages: readonly unknown[],
  { consume, take } = openConsumer({ attemptMs: 50 }),
) {
  const waiting = new Map<number, unknown[]>([[NOW, [...messages]]]);
  let consumed = 0;
  for (let now = NOW; now < end; now += 1000) {
    vi.setSystemTime(now);
    const due = waiting.get(now) ?? [];
    for (let first = 0; first < due.length; first += 5) {
      const batch = due.slice(first, first + 5);
      consumed += batch.length;
      await consume(...batch);
      for (const { body, delaySeconds } of take() as readonly Sent[]) {
        const at = now + Math.max(1, delaySeconds) * 1000;
        waiting.set(at, [...(waiting.get(at) ?? []), body]);
      }
    }
  }
  return consumed;
}

describe('a backlog', () => {
  it('a backlog of a receiver that hangs comes back rarely, spread over time, and is attempted after each pause', async () => {
    const messages = await seedBacklog(100);
    const consumed = await consumeUntil(NOW + HOUR_MS, messages);
    expect(consumed).toBeLessThan(8 * messages.length);
    const attempts = await Promise.all(messages.map(async (message) => (await attemptRows(message)).length));
    expect(attempts.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(10);
    const rows = await Promise.all(messages.map(deliveryRow));
    const times = rows.filter((row) => row?.tries === 0).map((row) => row?.next_try_at);
    expect(new Set(times).size).toBe(times.length);
  });
});
