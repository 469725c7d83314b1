import type { Credential } from '../accounts/grants.ts';
import type { Summed } from '../statistics/sums.ts';
import { addDays, dayNumberOf } from '../time/day.ts';
import { openClock } from '../time/time-zone.ts';
import { byDay, byValue, type StatsRow } from './breakdown.ts';
import { readDays, type ClickSources, type StatsSubject } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';

/** The clicks of the last days, by day and in several breakdowns at once. */
export interface Summary<Requested extends Summed> extends Counts {
  readonly tz: string;
  /** Every day of the range, in the zone, the oldest first. */
  readonly days: readonly StatsRow[];
  /** By UTC day, so that the first and the last day may have a few hours more or fewer than in the zone. */
  readonly by: Readonly<Record<Requested, readonly StatsRow[]>>;
}

/**
 * Sums up the clicks of the last days. Throws what `readDays` throws.
 *
 * @param range the number of days including today, their IANA zone, and the client
 * @param dimensions the breakdowns; `link` only for a whole client
 */
export async function getSummary<Requested extends Exclude<Summed, 'hour'>>(
  sources: ClickSources,
  credential: Credential,
  subject: StatsSubject,
  range: { readonly days: number; readonly tz: string; readonly client_id: string | undefined },
  dimensions: readonly Requested[],
): Promise<Summary<Requested>> {
  const { tz } = range;
  const to = openClock(tz)(Date.now()).day;
  const query = { from: addDays(to, 1 - range.days), to, tz, client_id: range.client_id };
  const read = await readDays(sources, credential, subject, query, { by: ['hour', ...dimensions], filters: {} });
  const days = byDay(read.days, query);
  const [first, last] = [dayNumberOf(query.from), dayNumberOf(to)];
  const within = read.days.filter(({ day }) => day >= first && day <= last);
  const broken = dimensions.map((dimension) => [dimension, byValue(within, dimension)] as const);
  // Object.fromEntries loses the type of the keys.
  const by = Object.fromEntries(broken) as Record<Requested, StatsRow[]>;
  return { tz, ...addCounts(days), days, by };
}
