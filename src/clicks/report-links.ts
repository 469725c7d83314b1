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
  /** The number of links that are named, by people and by all clicks; 100 if left out, which is more than a page shows. */
  readonly most?: number | undefined;
}

/** True if the days of a subject have the sums by link of a question with these filters. */
export function isOfSums({ kind }: StatsSubject, filters: Filters): boolean {
  return kind === 'client' && !filtersBeyondVisitorKind(filters);
}

/** True if hours are those of whole UTC days, for which a client has sums by link. */
export function isOfUtcDays([first, last]: StatsRange['hours']): boolean {
  return first % HOURS_A_DAY === 0 && (last + 1) % HOURS_A_DAY === 0;
}

const MAX_EXACT = 100;
const HOURS_A_DAY = 24;

/** The clicks by link, the most clicked first. Links that are left out count for none of the rows. */
export async function rankLinks(
  { statistics }: ClickSources,
  subject: StatsSubject,
  filters: Filters,
  { clientId, hours, days, wholeDays, most = MAX_EXACT }: StatsRange,
): Promise<StatsRow[]> {
  const ofSums = isOfSums(subject, filters);
  if (ofSums && isOfUtcDays(hours)) return byValue(days, 'link');
  const names = ofSums ? mostClicked(byValue(wholeDays, 'link'), most) : namesOf(subject);
  return countLinks({ statistics }, subject, filters, { clientId, hours, names });
}

/** The clicks of some links, or of all if none are named, in the hours of a range, the most clicked first. */
export async function countLinks(
  { statistics }: Pick<ClickSources, 'statistics'>,
  subject: StatsSubject,
  filters: Filters,
  {
    clientId,
    hours: [first, last],
    names,
  }: Pick<StatsRange, 'clientId' | 'hours'> & { names?: readonly string[] | undefined },
): Promise<StatsRow[]> {
  const hours = [first, last] as const;
  const [from, to] = [Math.floor(first / HOURS_A_DAY), Math.floor(last / HOURS_A_DAY)];
  // Links have no days by campaign, but their clicks say the campaign.
  const ofSubject = subject.kind === 'campaign' ? ofCampaign(subject.name, filters) : filters;
  const question = { from, to, hours, withCarried: true as const, filters: ofSubject };
  const asked = { ...question, ...(names && { links: names }) };
  return rankValues(await statistics.call(clientId, (object) => object.askByLink(asked, openCaller())));
}

/** The links with the most people and those with the most clicks, at most `most` of each. */
export function mostClicked(rows: readonly StatsRow[], most: number): readonly string[] {
  const people = rows.toSorted((a, b) => b.humans - a.humans);
  const links = [...people.slice(0, most), ...rows.slice(0, most)].flatMap(({ key }) => key ?? []);
  return [...new Set(links)].filter((key) => key !== OTHER_WORD);
}

function namesOf(subject: StatsSubject): readonly string[] | undefined {
  if (subject.kind === 'links') return subject.names;
  return subject.kind === 'link' ? [subject.name] : undefined;
}
