import type { Credential } from '../accounts/grants.ts';
import { OTHER_WORD } from '../statistics/facts.ts';
import { openCaller } from '../statistics/statistics.ts';
import type { Filters } from '../statistics/questions/filters.ts';
import type { DayClicks } from '../statistics/questions/questions.ts';
import type { ValueClicks, Clicks, Summed } from '../statistics/days/sums.ts';
import { addDays, dayNumberOf, daysBetween } from '../time/day.ts';
import { byDay, byHour, byNamedValue, byWeekday, rankValues, type StatsRow } from './breakdown.ts';
import { readDays, type ClickSources, type Range, type ReadDays, type StatsSubject } from './days.ts';
import { ofCampaign } from './filter-fields.ts';
import { firstDayAfter } from './known-days.ts';
import { addCounts, type Counts } from './link-clicks.ts';
import { filtersOf, TIMES, type StatsQuery } from './query.ts';
import { filtersBeyondVisitorKind } from './other-row.ts';
import { findTaggedLinks } from './current-links.ts';
import { cutRows, sameRows, type RowPage } from './row-page.ts';
import { sumVisitors, type Visitors } from './visitor-days.ts';

export type { StatsRow } from './breakdown.ts';
export type { StatsSubject } from './days.ts';

/** Clicks in a range of days, with a breakdown. */
interface Part extends Counts {
  readonly from: string;
  readonly to: string;
  /**
   * The first day of the rows, if what is kept of the days before does not say what the query asks for; null if all
   * days of the range do.
   */
  readonly filtered_from: string | null;
  /** Null where they are not counted, or not known. */
  readonly visitors: Visitors | null;
  readonly rows: readonly StatsRow[];
}

/** Clicks of a link, a campaign, some links or a client in a range of days, with a breakdown. */
export interface Stats extends Part {
  readonly by: StatsQuery['by'];
  readonly tz: string;
  /** The sums and rows of the range that it is compared with. */
  readonly compare: Part | null;
  /** The start of the next page, or null at the end of the rows. */
  readonly cursor: string | null;
}

/** The links that have a tag now; `name` is without case. */
export interface TaggedLinks {
  readonly kind: 'tag';
  readonly name: string;
}

/**
 * Reads click statistics. Throws what `readDays` throws, `too_many_links` and `invalid_cursor`.
 *
 * @param keys those that always have a row, after the others; other keys without clicks have none
 */
export async function getStats(
  sources: ClickSources,
  credential: Credential,
  requested: StatsSubject | TaggedLinks,
  query: StatsQuery,
  keys: readonly string[] = [],
): Promise<Stats> {
  const isPaged = query.limit !== undefined || query.cursor !== undefined;
  const cut = isPaged ? cutRows(requested, query) : allRows;
  const subject = requested.kind === 'tag' ? await openTag(sources, credential, requested, query) : requested;
  const compared = comparedRange(query);
  const areLinksKnown = requested.kind === 'tag';
  const [part, before] = await Promise.all([
    readPart(sources, credential, subject, query, areLinksKnown),
    compared ? readPart(sources, credential, subject, { ...query, ...compared }, areLinksKnown) : null,
  ]);
  const counted = new Set(part.rows.map(({ key }) => key));
  const uncounted = keys.filter((key) => !counted.has(key)).map((key) => ({ key, ...addCounts([]) }));
  const page = cut([...part.rows, ...uncounted]);
  const { rows, cursor } = page;
  const compare = before && {
    ...before,
    rows: TIMES.has(query.by) ? sameRows(before.rows, page) : sameKeys(rows, before.rows),
  };
  return { by: query.by, tz: query.tz, ...part, rows, compare: compare ?? null, cursor };
}

const allRows = (rows: readonly StatsRow[]): RowPage => ({ rows, cursor: null, before: 0, after: 0 });

async function openTag(
  { db }: ClickSources,
  credential: Credential,
  { name }: TaggedLinks,
  { client_id: clientId }: StatsQuery,
): Promise<StatsSubject> {
  return { kind: 'links', names: await findTaggedLinks(db, credential, name, clientId) };
}

function comparedRange({ from, to, compare }: StatsQuery): Pick<Range, 'from' | 'to'> | null {
  if (compare === undefined) return null;
  const days = daysBetween(from, to);
  const first = compare === 'previous' ? addDays(from, -days - 1) : compare;
  return { from: first, to: addDays(first, days) };
}

// So that each row of a page can be compared.
function sameKeys(rows: readonly StatsRow[], before: readonly StatsRow[]): StatsRow[] {
  const byKey = new Map(before.map((row) => [row.key, row]));
  return rows.map(({ key }) => byKey.get(key) ?? { key, ...addCounts([]) });
}

async function readPart(
  sources: ClickSources,
  credential: Credential,
  subject: StatsSubject,
  query: StatsQuery,
  areLinksKnown: boolean,
): Promise<Part> {
  const { by, from, to } = query;
  const given = filtersOf(query);
  const isOfLinks = by === 'link' && (subject.kind !== 'client' || filtersBeyondVisitorKind(given));
  // Links have no days by campaign, but their clicks say the campaign.
  const filters = isOfLinks && subject.kind === 'campaign' ? ofCampaign(subject.name, given) : given;
  const question = {
    by: isOfLinks ? [] : neededFor(query),
    filters,
    areLinksKnown,
  };
  const readAll = (isSummed: boolean) =>
    readDays(sources, credential, subject, { ...query, withVisitors: true }, { ...question, isSummed });
  // Filtered clicks lose their hours after some days.
  const needsHours = question.by.includes('hour');
  const knownFromOf = ({ days: all }: ReadDays) => {
    const unknown = all.findLast(({ isKnown, hasHours }) => !isKnown || (needsHours && !hasHours));
    return unknown === undefined ? null : firstDayAfter(unknown.day, query);
  };
  // The values of each of 400 days are a thousand times as much.
  const canSum = !isOfLinks && !TIMES.has(by) && !filtersBeyondVisitorKind(given);
  const summed = await readAll(canSum);
  // Of some days the values are not known, so that those before them do not count.
  const read = canSum && knownFromOf(summed) !== null ? await readAll(false) : summed;
  const filteredFrom = knownFromOf(read);
  const range = { ...query, from: filteredFrom ?? from };
  const days = daysFrom(read.days, range);
  const rows = isOfLinks
    ? rankValues(withOthers(await askLinks(sources, subject, read, filters, range), days))
    : breakDown(days, range);
  const visitors = sumVisitors(read.visitors);
  return { from, to, filtered_from: filteredFrom, ...addCounts(rows), visitors, rows };
}

/** The breakdowns of UTC days that a breakdown of the response is summed from. */
function neededFor({ by, tz }: StatsQuery): readonly Summed[] {
  if (by !== 'day' && by !== 'hour' && by !== 'weekday') return [by];
  return by === 'hour' || tz !== 'UTC' ? ['hour'] : [];
}

async function askLinks(
  { statistics }: ClickSources,
  subject: StatsSubject,
  { clientId }: ReadDays,
  filters: Filters,
  range: Range,
): Promise<readonly ValueClicks[]> {
  const [from, to] = [dayNumberOf(range.from), dayNumberOf(range.to)];
  const names = subject.kind === 'link' ? [subject.name] : subject.kind === 'links' ? subject.names : undefined;
  const question = { from, to, filters, withCarried: true as const, ...(names && { links: names }) };
  return statistics.call(clientId, (object) => object.askByLink(question, openCaller()));
}

// The days have the clicks of removed links too.
function withOthers(links: readonly ValueClicks[], days: readonly DayClicks[]): readonly ValueClicks[] {
  const [all, named] = [addCounts(days), addCounts(links)];
  const missing = (kind: keyof Clicks): number => Math.max(0, all[kind] - named[kind]);
  const others = { humans: missing('humans'), bots: missing('bots'), previews: missing('previews') };
  return addCounts([others]).total === 0 ? links : [...links, { value: OTHER_WORD, ...others }];
}

// In a zone other than UTC, whether the hours of these days are kept is checked later.
function daysFrom(days: readonly DayClicks[], { tz, from }: StatsQuery): readonly DayClicks[] {
  return tz === 'UTC' ? days.filter(({ day }) => day >= dayNumberOf(from)) : days;
}

function breakDown(days: readonly DayClicks[], query: StatsQuery): StatsRow[] {
  switch (query.by) {
    case 'day':
      return byDay(days, query);
    case 'hour':
      return byHour(days, query);
    case 'weekday':
      return byWeekday(days, query);
    default:
      return byNamedValue(days, query.by);
  }
}
