import { DAY_MS } from './day.ts';
import { offsetAt } from './wall-time.ts';

/** The clocks of time zones at a visit, from offsets that all links of an isolate share. */

const MINUTE_MS = 60 * 1000;
export const MINUTES_OF_DAY = 24 * 60;
export const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY;
// The epoch began on a Thursday.
const EPOCH_MINUTES = 3 * MINUTES_OF_DAY;

/**
 * The time of the clocks of a zone at an instant, as whole minutes since Monday, 00:00: 0 to 10,079. The platform is
 * asked for a zone two times in one to two days, and not in every minute, since each of its answers takes as long as
 * the rest of a redirect. Throws a `RangeError` for a zone that the platform does not know.
 *
 * @param at milliseconds since the epoch
 * @param zone its IANA name in small letters, so that each zone is kept once
 */
export function minuteOfWeek(at: number, zone: string): number {
  const minutes = Math.floor((at + keptOffsetAt(at, zone)) / MINUTE_MS) + EPOCH_MINUTES;
  return ((minutes % MINUTES_OF_WEEK) + MINUTES_OF_WEEK) % MINUTES_OF_WEEK;
}

/** A time in which the clocks of a zone keep one offset, in milliseconds; `until` is excluded. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

// The platform knows 600 names, and does not distinguish upper and lower case.
const MAX_ZONES = 1000;
const spans = new Map<string, Span>();

function keptOffsetAt(at: number, zone: string): number {
  const kept = spans.get(zone);
  if (kept !== undefined && at >= kept.from && at < kept.until) return kept.offset;
  const ageMs = Date.now() - at;
  // What real visits need is not replaced by a visit that is made up for another time.
  if (ageMs < 0 || ageMs > DAY_MS) return offsetAt(at, zone);
  const span = spanFrom(at, zone);
  if (spans.size >= MAX_ZONES) spans.clear();
  spans.set(zone, span);
  return span.offset;
}

/** No zone changes its offset twice within two days, so that one offset at both ends holds in between. */
function spanFrom(at: number, zone: string): Span {
  const from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const offset = offsetAt(from, zone);
  let [same, until] = [from, from + lengthFor(zone)];
  if (offsetAt(until, zone) === offset) return { from, until, offset };
  while (until - same > MINUTE_MS) {
    const middle = same + Math.floor((until - same) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (offsetAt(middle, zone) === offset) same = middle;
    else until = middle;
  }
  return { from, until, offset };
}

/** One to two days, in whole minutes: zones that were asked for by one visit are not all asked for again by one. */
function lengthFor(zone: string): number {
  let hash = 0;
  for (let index = 0; index < zone.length; index += 1) hash = (31 * hash + zone.charCodeAt(index)) % MINUTES_OF_DAY;
  return DAY_MS + hash * MINUTE_MS;
}
