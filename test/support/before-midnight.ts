import { DAY_MS } from '../../src/time/day.ts';

/**
 * A setup file: many tests count the clicks of today, so a file that would begin in the last minute of a day (UTC) waits
 * for the next one.
 */

const LAST_MS = 60_000;

const left = DAY_MS - (Date.now() % DAY_MS);
if (left <= LAST_MS) await new Promise((resolve) => setTimeout(resolve, left));
