import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { byDay, byHour, byValue, type BrokenDown, type StatsRow } from './breakdown.ts';
import { readDays, type StatsSubject } from './days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import type { StatsQuery } from './query.ts';
import { COLUMN_BY_DIMENSION } from './sums.ts';

export type { StatsRow } from './breakdown.ts';
export type { StatsSubject } from './days.ts';

/** Clicks of a link, a campaign or a client in a range of days, with a breakdown. */
export interface Stats extends Counts {
  readonly by: StatsQuery['by'];
  readonly from: string;
  readonly to: string;
  readonly tz: string;
  /** Every day or hour of the range, in order; or the values of the breakdown, the most clicked first. */
  readonly rows: readonly StatsRow[];
}

/** Reads click statistics in one round trip, with one row for each day. Throws what `readDays` throws. */
export async function getStats(
  db: Database,
  credential: Credential,
  subject: StatsSubject,
  query: StatsQuery,
): Promise<Stats> {
  const column = COLUMN_BY_DIMENSION[query.by === 'day' ? 'hour' : query.by];
  const isPlain = query.by === 'day' && query.tz === 'UTC';
  const days = await readDays(db, credential, subject, query, isPlain ? [] : [column]);
  const rows = breakDown(
    days.map((day) => ({ ...day, breakdown: isPlain ? '{}' : day[column] })),
    query,
  );
  return { by: query.by, from: query.from, to: query.to, tz: query.tz, ...addCounts(rows), rows };
}

function breakDown(days: readonly BrokenDown[], query: StatsQuery): StatsRow[] {
  switch (query.by) {
    case 'day':
      return byDay(days, query);
    case 'hour':
      return byHour(days, query);
    default:
      return byValue(days);
  }
}
