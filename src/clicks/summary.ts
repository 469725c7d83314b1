import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { byDay, byValue, type StatsRow } from './breakdown.ts';
import { addDays } from '../time/day.ts';
import { readDays, type StatsSubject } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { COLUMN_BY_DIMENSION, type Dimension } from './sums.ts';
import { openClock } from '../time/time-zone.ts';

/** The clicks of the last days, by day and in several breakdowns at once. */
export interface Summary<Requested extends Dimension> extends Counts {
  readonly tz: string;
  /** Every day of the range, in the zone, the oldest first. */
  readonly days: readonly StatsRow[];
  /** By UTC day, so that the first and the last day may have a few hours more or fewer than in the zone. */
  readonly by: Readonly<Record<Requested, readonly StatsRow[]>>;
}

/**
 * Sums up the clicks of the last days in one round trip, with one row for each day. Throws what `readDays` throws.
 *
 * @param range the number of days including today, their IANA zone, and the client
 * @param dimensions the breakdowns; `link` only for a whole client
 */
export async function getSummary<Requested extends Exclude<Dimension, 'hour'>>(
  db: Database,
  credential: Credential,
  subject: StatsSubject,
  range: { readonly days: number; readonly tz: string; readonly client_id: string | undefined },
  dimensions: readonly Requested[],
): Promise<Summary<Requested>> {
  const { tz } = range;
  const to = openClock(tz)(Date.now()).day;
  const query = { from: addDays(to, 1 - range.days), to, tz, client_id: range.client_id };
  const columns = dimensions.map((dimension) => COLUMN_BY_DIMENSION[dimension]);
  const rows = await readDays(db, credential, subject, query, ['hours', ...columns]);
  const days = byDay(
    rows.map((row) => ({ ...row, breakdown: row.hours })),
    query,
  );
  const within = rows.filter(({ day }) => day >= query.from && day <= to);
  const broken = dimensions.map((dimension) => {
    const column = COLUMN_BY_DIMENSION[dimension];
    return [dimension, byValue(within.map((row) => ({ ...row, breakdown: row[column] })))] as const;
  });
  // Object.fromEntries loses the type of the keys.
  const by = Object.fromEntries(broken) as Record<Requested, StatsRow[]>;
  return { tz, ...addCounts(days), days, by };
}
