import { askClicks, type Statistics } from '../statistics/statistics.ts';
import type { SubjectTotals } from '../statistics/questions/totals.ts';
import type { Clicks } from '../statistics/days/sums.ts';
import { DAY_MS, dayNumberOf, dayOf, daysFrom } from '../time/day.ts';

/** The click statistics in a link's info. Humans, bots and previews add up to the total. */
export interface LinkClicks extends Counts {
  /** Distinct people since midnight UTC, without those who asked not to be tracked. */
  readonly visitors_today: number;
  /** ISO 8601, UTC; null before the first click. */
  readonly last_at: string | null;
  /** The last 30 UTC days including today, the oldest first. */
  readonly by_day: readonly (Counts & { readonly day: string })[];
}

export interface Counts extends Clicks {
  readonly total: number;
}

const DAYS_SHOWN = 30;

/** The clicks of a link that the caller may read. Throws `store_unavailable`. */
export async function getLinkClicks(
  statistics: Statistics,
  link: { readonly id: string; readonly clientId: string },
  now: number,
): Promise<LinkClicks> {
  const today = dayNumberOf(dayOf(now));
  const first = today - DAYS_SHOWN + 1;
  const { days, totals, visitors } = await statistics.call(link.clientId, async (object) => {
    const subject = { kind: 'link', name: link.id } as const;
    const range = { from: first, to: today, withCarried: true } as const;
    const question = { subject, ...range, by: [], filters: {}, visitors: null, summaryOn: today };
    const { days, summary } = await askClicks(object, question);
    if (summary !== undefined) return { days, totals: summary ?? undefined, visitors: summary?.visitors ?? 0 };
    const [all, people] = await Promise.all([object.totals([link.id]), object.visitors(link.id, today)]);
    return { days, totals: all.get(link.id), visitors: people };
  });
  const byDay = Map.groupBy(days, ({ day }) => dayOf(day * DAY_MS));
  const { all, lastAt } = joinTotals(totals);
  return {
    ...all,
    visitors_today: visitors,
    last_at: lastAt === 0 ? null : new Date(lastAt).toISOString(),
    by_day: countsOf(daysFrom(first, DAYS_SHOWN), byDay).map(({ key: day, ...counts }) => ({ day, ...counts })),
  };
}

/** The clicks of a link or campaign with those of its carried days; zeros for one without clicks. */
export function joinTotals(counted: SubjectTotals | undefined): { readonly all: Counts; readonly lastAt: number } {
  const parts = counted === undefined ? [] : [counted, counted.carried];
  return { all: addCounts(parts), lastAt: Math.max(0, ...parts.map(({ lastAt }) => lastAt)) };
}

/** Adds up counts, with their total. */
export function addCounts(rows: readonly Clicks[]): Counts {
  const sum = (kind: keyof Clicks) => rows.reduce((clicks, row) => clicks + row[kind], 0);
  const [humans, bots, previews] = [sum('humans'), sum('bots'), sum('previews')];
  return { total: humans + bots + previews, humans, bots, previews };
}

/** The counts of each key in order, also of those without clicks. */
export function countsOf(
  keys: readonly string[],
  clicksOf: ReadonlyMap<string, readonly Clicks[]>,
): (Counts & { readonly key: string })[] {
  return keys.map((key) => ({ key, ...addCounts(clicksOf.get(key) ?? []) }));
}
