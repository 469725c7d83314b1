import { describe, expect, it } from 'vitest';
import { MOST_AT_ONCE, PAUSE_MS, Receivers } from '../../../src/webhooks/delivery/receivers.ts';

const NOW = 1_000_000;

/** How long the next attempts of a webhook are postponed. */
const takeMany = (receivers: Receivers, webhook: string, count: number, now = NOW) =>
  Array.from({ length: count }, () => receivers.take(webhook, now));

describe('an isolate', () => {
  it('begins a few attempts of one webhook at a time, and any number of others', () => {
    const receivers = new Receivers();
    expect(takeMany(receivers, 'slow', MOST_AT_ONCE + 2)).toEqual([0, 0, 0, 0, 0, 5000, 5000]);
    expect(takeMany(receivers, 'other', 1)).toEqual([0]);
    receivers.leave('slow', NOW);
    expect(takeMany(receivers, 'slow', 2)).toEqual([0, 5000]);
  });

  it('forgets attempts whose end it was not told', () => {
    const receivers = new Receivers();
    takeMany(receivers, 'slow', MOST_AT_ONCE);
    expect(receivers.take('slow', NOW + 59_999)).toBe(5000);
    expect(receivers.take('slow', NOW + 60_000)).toBe(0);
  });

  it('postpones what is for a receiver that has timed out, longer after each timeout in a row', () => {
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

  it('waits ten minutes at most', () => {
    const receivers = new Receivers();
    let now = NOW;
    for (let timeouts = 0; timeouts < 20; timeouts++) {
      receivers.timedOut('hanging', now);
      now += 10 * PAUSE_MS;
    }
    receivers.timedOut('hanging', now);
    expect(receivers.take('hanging', now)).toBe(10 * PAUSE_MS);
  });

  it('goes on as soon as a receiver responds', () => {
    const receivers = new Receivers();
    receivers.timedOut('hanging', NOW);
    receivers.responded('hanging');
    expect(receivers.take('hanging', NOW)).toBe(0);
  });
});
