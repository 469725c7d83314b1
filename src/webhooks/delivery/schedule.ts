/**
 * When a delivery is attempted: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

const [MINUTE, HOUR] = [60, 3600];

/** The seconds before each attempt, counted from the one before it: ten attempts within about three days. */
export const SCHEDULE_SECONDS: readonly number[] = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** For how long an attempt takes a delivery: longer than it lasts with its look-up and its record. */
export const TAKEN_MS = 90_000;

/** A webhook whose attempts have failed for this long, without a success in between, is disabled. */
export const FAILING_MS = 5 * 24 * HOUR * 1000;

// What failed together is not attempted together again.
const MAX_JITTER = 0.1;

/**
 * When the next attempt is due, in milliseconds since the epoch; null after the last one.
 *
 * @param attempts those so far
 */
export function nextAttemptAt(
  schedule: readonly number[],
  attempts: number,
  now: number,
  random: () => number = Math.random,
): number | null {
  const seconds = schedule[attempts];
  return seconds === undefined ? null : now + Math.round(seconds * 1000 * (1 + MAX_JITTER * random()));
}
