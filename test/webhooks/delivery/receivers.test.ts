import { describe, expect, it } from 'vitest';
import { MAX_AT_ONCE, PAUSE_MS, Receivers } from '../../../src/webhooks/delivery/receivers.ts';

const NOW = 1_000_000;

/** Takes the next attempts of a webhook. Returns how long each is postponed. */
const takeMany = (receivers: Receivers, webhook: string, count: number, now = NOW) =>
  Array.from({ length: count }, () => receivers.take(webhook, now));

/**
 * Deliveries that all come at once, and each again when it was postponed to, until an instant. Returns how many were
 * attempted, how often they came, and when the last attempt ended.
 */
function drain(count: number, attemptMs: number, isHanging = false, endMs = Infinity) {
  const receivers = new Receivers(() => 0.5);
  const due = new Map([[NOW, count]]);
  const ends = new Map<number, number[]>();
  const most = isHanging ? Infinity : count;
  let [came, attempted, lastMs] = [0, 0, 0];
  const add = (at: number, more: number) => due.set(at, (due.get(at) ?? 0) + more);
  for (let now = NOW; now < NOW + endMs && attempted < most; now += 100) {
    for (const takenAt of ends.get(now) ?? []) {
      if (isHanging) receivers.timedOut('w', now);
      else receivers.responded('w');
      receivers.leave('w', takenAt, now);
    }
    for (let left = due.get(now) ?? 0; left > 0; left--) {
      came += 1;
      const wait = receivers.take('w', now);
      if (wait > 0) {
        // A queue delays by whole seconds.
        add(now + Math.ceil(wait / 1000) * 1000, 1);
        continue;
      }
      attempted += 1;
      lastMs = now - NOW + attemptMs;
      ends.set(now + attemptMs, [...(ends.get(now + attemptMs) ?? []), now]);
      if (isHanging) add(now + attemptMs + 300_000, 1);
    }
  }
  return { attempted, came, lastMs };
}

describe('an isolate', () => {
  it('an isolate begins a few attempts of one webhook at a time, and any number of others', () => {
    const receivers = new Receivers();
    expect(takeMany(receivers, 'slow', MAX_AT_ONCE + 2)).toEqual([0, 0, 0, 0, 0, 50, 100]);
    expect(takeMany(receivers, 'other', 1)).toEqual([0]);
    receivers.leave('slow', NOW);
    expect(takeMany(receivers, 'slow', 2)).toEqual([0, 150]);
  });

  it('an isolate forgets attempts whose end was not reported', () => {
    const receivers = new Receivers();
    takeMany(receivers, 'slow', MAX_AT_ONCE);
    expect(receivers.take('slow', NOW + 59_999)).toBe(50);
    expect(receivers.take('slow', NOW + 60_000)).toBe(0);
  });

  it('an isolate postpones what is for a receiver that has timed out, longer after each timeout in a row', () => {
    const receivers = new Receivers();
    receivers.timedOut('hanging', NOW);
    // One of several attempts side by side.
    receivers.timedOut('hanging', NOW + 1);
    expect(receivers.take('hanging', NOW + 1)).toBe(PAUSE_MS - 1);
    expect(receivers.take('other', NOW + 1)).toBe(0);
    const second = NOW + PAUSE_MS;
    expect(receivers.take('hanging', second)).toBe(0);
    receivers.timedOut('hanging', second);
    expect(receivers.take('hanging', second)).toBe(2 * PAUSE_MS);
  });

  it('an isolate waits ten minutes at most', () => {
    const receivers = new Receivers();
    let now = NOW;
    for (let timeouts = 0; timeouts < 20; timeouts++) {
      receivers.timedOut('hanging', now);
      now += 10 * PAUSE_MS;
    }
    receivers.timedOut('hanging', now);
    expect(receivers.take('hanging', now)).toBe(10 * PAUSE_MS);
  });

  it('an isolate continues as soon as a receiver responds', () => {
    const receivers = new Receivers();
    receivers.timedOut('hanging', NOW);
    receivers.responded('hanging');
    expect(receivers.take('hanging', NOW)).toBe(0);
  });

  it('an isolate postpones each delivery to a moment of its own, at the rate at which the receiver responds', () => {
    const receivers = new Receivers();
    takeMany(receivers, 'slow', MAX_AT_ONCE);
    receivers.leave('slow', NOW, NOW + 10_000);
    expect(takeMany(receivers, 'slow', 4, NOW + 10_000)).toEqual([0, 2000, 4000, 6000]);
    expect(takeMany(receivers, 'slow', 1, NOW + 11_000)).toEqual([7000]);
  });

  it('an isolate postpones deliveries for a paused receiver to moments after the pause, each cycle with a few', () => {
    const receivers = new Receivers();
    receivers.timedOut('hanging', NOW);
    expect(takeMany(receivers, 'hanging', 4)).toEqual([PAUSE_MS, 75_000, 90_000, 105_000]);
    const waits = takeMany(receivers, 'hanging', 1000);
    expect(new Set(waits).size).toBeGreaterThan(990);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_600_000);
    receivers.responded('hanging');
    expect(takeMany(receivers, 'hanging', MAX_AT_ONCE + 1)).toEqual([0, 0, 0, 0, 0, 50]);
  });

  it('an isolate works off a burst for a slow receiver without asking often', () => {
    const { attempted, came, lastMs } = drain(900, 2000);
    expect(attempted).toBe(900);
    expect(came).toBeLessThan(4 * 900);
    // Five at a time take six minutes.
    expect(lastMs).toBeLessThan(8 * 60_000);
  });

  it('an isolate lets deliveries for a receiver that hangs come rarely', () => {
    const { came, attempted } = drain(3600, 15_000, true, 3 * 3_600_000);
    expect(came).toBeLessThan(6 * 3600);
    // Each pause is followed by an attempt, and the longest has ten minutes.
    expect(attempted).toBeGreaterThan(18);
  });

  it('an isolate remembers ten thousand receivers, and forgets the one that it has not met for longest', () => {
    const receivers = new Receivers();
    receivers.timedOut('first', NOW);
    receivers.timedOut('second', NOW);
    for (let index = 0; index < 9998; index++) receivers.take(`w${index}`, NOW);
    expect(receivers.take('first', NOW)).toBe(PAUSE_MS);
    receivers.take('one more', NOW);
    expect(receivers.take('second', NOW)).toBe(0);
    expect(receivers.take('first', NOW)).toBeGreaterThan(PAUSE_MS);
  });
});
