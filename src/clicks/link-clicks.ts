import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Statement } from '../database.ts';
import { DAY_MS, dayOf } from '../time/day.ts';
import { asOneArray } from './store.ts';

/** The click statistics in a link's info. Humans, bots and previews add up to the total. */
export interface LinkClicks extends Counts {
  /** Distinct people since midnight UTC, without those who asked not to be tracked. */
  readonly visitors_today: number;
  /** ISO 8601, UTC; null before the first click. */
  readonly last_at: string | null;
  /** The last 30 UTC days including today, the oldest first. */
  readonly by_day: readonly (Counts & { readonly day: string })[];
}

export interface Counts {
  readonly total: number;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
}

const DAYS_SHOWN = 30;

/** A row of the first statement of `selectLinkClicks`. */
export interface ClickDayRow {
  readonly day: string;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
  readonly last_at: number;
}

/** The one row of the second statement of `selectLinkClicks`. */
export interface VisitorsRow {
  readonly visitors: number;
}

// The client that the request names, or the link's.
const OWNER = `coalesce(?7, (SELECT client_id FROM links WHERE id = ?6))`;

/** The two statements whose rows `toLinkClicks` reads, for a batch of the caller's own. */
export function selectLinkClicks(
  credential: Credential,
  link: { readonly id: string; readonly clientId: string | null },
  now: number,
): [Statement, Statement] {
  const params = [...grantParams(credential, now), link.id, link.clientId];
  return [
    {
      sql: `${GRANTS}
        SELECT day, humans, bots, previews, last_at FROM click_days
        WHERE client_id = ${OWNER} AND subject = 'link' AND name = ?6 AND client_id IN (SELECT client_id FROM grants)`,
      params,
    },
    {
      sql: `${GRANTS}
        SELECT count(DISTINCT mark.value) AS visitors FROM visitor_marks v, json_each(${asOneArray('v.marks')}) AS mark
        WHERE v.link_id = ?6 AND v.day = ?8 AND EXISTS (SELECT 1 FROM grants WHERE client_id = ${OWNER})`,
      params: [...params, dayOf(now)],
    },
  ];
}

/** Shapes the rows of `selectLinkClicks`. */
export function toLinkClicks(days: readonly ClickDayRow[], visitors: readonly VisitorsRow[], now: number): LinkClicks {
  const byDay = new Map(days.map((row) => [row.day, row]));
  const shown = Array.from({ length: DAYS_SHOWN }, (_, index) => dayOf(now - (DAYS_SHOWN - 1 - index) * DAY_MS));
  const lastAt = Math.max(0, ...days.map((row) => row.last_at));
  return {
    ...addCounts(days),
    visitors_today: visitors[0]?.visitors ?? 0,
    last_at: lastAt === 0 ? null : new Date(lastAt).toISOString(),
    by_day: shown.map((day) => ({ day, ...addCounts([byDay.get(day) ?? NO_CLICKS]) })),
  };
}

const NO_CLICKS = { humans: 0, bots: 0, previews: 0 };

type Kinds = Pick<Counts, 'humans' | 'bots' | 'previews'>;

/** Adds up counts, with their total. */
export function addCounts(rows: readonly Kinds[]): Counts {
  const sum = (kind: keyof Kinds) => rows.reduce((clicks, row) => clicks + row[kind], 0);
  const [humans, bots, previews] = [sum('humans'), sum('bots'), sum('previews')];
  return { total: humans + bots + previews, humans, bots, previews };
}
