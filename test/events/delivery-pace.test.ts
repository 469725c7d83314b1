import { expect, it } from 'vitest';
import { DeliveryPace, PACE_BURST, PACE_MS } from '../../src/events/delivery-pace.ts';

const NOW = 1_000_000;
const nextOf = (pace: DeliveryPace, count: number, now = NOW, clientId = 'one') =>
  Array.from({ length: count }, () => pace.next(clientId, now) - now);

it('lets a burst of a client be due at once, and what follows later, one after the other', () => {
  const pace = new DeliveryPace();
  expect(new Set(nextOf(pace, PACE_BURST))).toEqual(new Set([0]));
  expect(nextOf(pace, 3)).toEqual([PACE_MS, 2 * PACE_MS, 3 * PACE_MS]);
  expect(nextOf(pace, 1, NOW, 'other')).toEqual([0]);
});

it('a client has a whole burst again once nothing waits', () => {
  const pace = new DeliveryPace();
  nextOf(pace, PACE_BURST + 100);
  const later = NOW + (PACE_BURST + 100) * PACE_MS;
  expect(nextOf(pace, PACE_BURST + 1, later).slice(-2)).toEqual([0, PACE_MS]);
});
