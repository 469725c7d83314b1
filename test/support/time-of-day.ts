import { DAY_MS } from '../../src/time/day.ts';

/**
 * A setup file. No file begins in the last minute of a day (UTC), since many tests count the clicks of today, nor shortly
 * before the daily jobs of `wrangler.toml`, which delete rows of a service that a test has started.
 */

const MINUTE_MS = 60_000;
const at = (hour: number, minute: number) => (hour * 60 + minute) * MINUTE_MS;

/** From when on a file waits, and until when, in milliseconds since the start of the day. */
const PAUSES = [
  { from: at(4, 14), until: at(4, 18) },
  { from: at(23, 59), until: DAY_MS },
] as const;

const now = Date.now() % DAY_MS;
const pause = PAUSES.find(({ from, until }) => now >= from && now < until);
if (pause) await new Promise((resolve) => setTimeout(resolve, pause.until - now));
