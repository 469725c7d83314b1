import { OTHER_WORD } from '../statistics/facts.ts';
import { openCaller } from '../statistics/statistics.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { DayClicks } from '../statistics/questions/questions.ts';
import { byValue, rankValues, type StatsRow } from './breakdown.ts';
import type { ClickSources, StatsSubject } from './days.ts';
import { ofCampaign } from './filter-fields.ts';
import { filtersBeyondVisitorKind } from './other-row.ts';

interface StatsRange {
  readonly clientId: string;
  /** The first and the last hour, since the epoch. */
  readonly hours: readonly [first: number, last: number];
  /** The days; those of a client have sums by link. */
  readonly days: readonly DayClicks[];
  /** The days with all of their hours. */
  readonly wholeDays: readonly DayClicks[];
}

/** True if the days of a subject have the sums by link of a question with these filters. */
export function isOfSums({ kind }: StatsSubject, filters: Filters): boolean {
  return kind === 'client' && !filtersBeyondVisitorKind(filters);
}

/** True if hours are those of whole UTC days, for which a client has sums by link. */
export function isOfUtcDays([first, last]: StatsRange['hours']): boolean {
  return first % HOURS_A_DAY === 0 && (last + 1) % HOURS_A_DAY === 0;
}

// More than a page shows.
const MAX_EXACT = 100;
const HOURS_A_DAY = 24;

/** The clicks by link, the most clicked first. Links that are left out count for none of the rows. */
export async function rankLinks(
  { statistics }: ClickSources,
  subject: StatsSubject,
  filters: Filters,
  { clientId, hours, days, wholeDays }: StatsRange,
): Promise<StatsRow[]> {
  const ofSums = isOfSums(subject, filters);
  const [first, last] = hours;
  if (ofSums && isOfUtcDays(hours)) return byValue(days, 'link');
  const names = ofSums ? mostClicked(byValue(wholeDays, 'link')) : namesOf(subject);
  const [from, to] = [Math.floor(first / HOURS_A_DAY), Math.floor(last / HOURS_A_DAY)];
  // Links have no days by campaign, but their clicks say the campaign.
  const ofSubject = subject.kind === 'campaign' ? ofCampaign(subject.name, filters) : filters;
  const question = { from, to, hours, withCarried: true as const, filters: ofSubject };
  const asked = { ...question, ...(names && { links: names }) };
  return rankValues(await statistics.call(clientId, (object) => object.askByLink(asked, openCaller())));
}

function mostClicked(rows: readonly StatsRow[]): readonly string[] {
  const people = rows.toSorted((a, b) => b.humans - a.humans);
  const links = [...people.slice(0, MAX_EXACT), ...rows.slice(0, MAX_EXACT)].flatMap(({ key }) => key ?? []);
  return [...new Set(links)].filter((key) => key !== OTHER_WORD);
}

function namesOf(subject: StatsSubject): readonly string[] | undefined {
  if (subject.kind === 'links') return subject.names;
  return subject.kind === 'link' ? [subject.name] : undefined;
}
