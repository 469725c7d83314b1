import type { Context } from 'hono';
import { ofCampaign, REPEATABLE_NAMES } from '../../clicks/filter-fields.ts';
import type { StatsSubject } from '../../clicks/days.ts';
import { getReport, type Dimension, type Report } from '../../clicks/report.ts';
import { isOfSums } from '../../clicks/report-links.ts';
import type { Unit } from '../../clicks/report-rows.ts';
import { zoneFor } from '../../clicks/report-zone.ts';
import { filtersBeyondVisitorKind } from '../../clicks/other-row.ts';
import { toCsv } from '../../clicks/stats-csv.ts';
import { AppError } from '../../errors.ts';
import { logProblem } from '../../isolate/log.ts';
import { isStatisticsOutage } from '../../statistics/statistics.ts';
import { readQueryAndLists } from '../../http/query.ts';
import { findLinks } from '../../links/list/find-many.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import { addDays, daysBetween } from '../../time/day.ts';
import { openClock } from '../../time/time-zone.ts';
import type { PlatformEnv } from '../env.ts';
import type { Breakdowns } from './cards.ts';
import { daysOf, unitOf } from './periods.ts';
import type { PinEvent } from './pins.ts';
import { keysOf, MAX_LISTED, MAX_SHOWN, shownRows } from './shown-rows.ts';
import { GRAPH } from './graphs.ts';
import { filtersOf, parseView, type View } from './view.ts';

/** Whose clicks a page of click statistics shows, and where it is. */
export interface Scope {
  /** Links that are named, such as those of a domain, come from the database; a page with them has the card of links too. */
  readonly subject: StatsSubject;
  /** The path of the page. */
  readonly path: string;
  /** Its breakdowns. */
  readonly breakdowns: Breakdowns;
  /** The breakdowns that it has no filter by. */
  readonly hidden?: readonly Dimension[];
  /** The page of its public statistics, if it can have one. */
  readonly sharePath?: string;
  /** Reads what happened in the days of a report, for the pins of its chart: at most some twenty rows. */
  readonly readEvents?: (report: Report) => Promise<readonly PinEvent[]>;
  /** True if a visitor reads it, who gets no files. */
  readonly isPublic?: boolean;
}

/** Who reads the page, and by which clocks. */
export interface Reader {
  readonly asker: Parameters<typeof getReport>[1];
  readonly clientId: string;
  readonly timeZone: string;
  readonly nameLinks: (ids: readonly string[]) => Promise<ReadonlyMap<string, NamedLink>>;
}

/** The member whose session it is. */
function memberOf(c: Context<PlatformEnv>): Reader {
  const { actor, client, session } = c.var;
  return {
    asker: actor.credential,
    clientId: client.id,
    timeZone: session.timeZone,
    nameLinks: (ids) => nameLinks(c, ids),
  };
}

/** The content of a page of click statistics. */
export interface Statistics {
  readonly scope: Scope;
  readonly view: View;
  readonly report: Report;
  readonly unit: Unit;
  /** Today, by the clocks of the report. */
  readonly today: string;
  /** The zone of the user; that of the report differs where hours are not kept. */
  readonly timeZone: string;
  /** Sentences about what of the address is not valid. */
  readonly faults: readonly string[];
  /** The links that are named: those that are filtered, and the most clicked ones that still have content. */
  readonly links: ReadonlyMap<string, NamedLink>;
  readonly events: readonly PinEvent[];
}

export interface NamedLink {
  readonly title: string | null;
  readonly shortUrl: string;
  readonly url: string;
  readonly isDeleted: boolean;
}

/**
 * Reads what a page of click statistics shows: with one batch of D1, and one more where links are named. Throws what
 * `getReport` throws.
 */
export async function readStatistics(
  c: Context<PlatformEnv>,
  scope: Scope,
  reader: Reader = memberOf(c),
): Promise<Statistics> {
  const { view, faults } = askedOf(c, scope);
  const { timeZone } = reader;
  const { cards } = scope.breakdowns;
  const { isUnknownLink, ...shown } = await read(c, reader, scope.subject, view, view.card ? [view.card] : cards);
  if (isUnknownLink) {
    faults.push(c.var.words.text('clicks.unknownLink'));
  }
  const { report } = shown;
  const kind = view.graph === null ? 'humans' : GRAPH[view.graph].kind;
  const most = view.card ? MAX_LISTED : MAX_SHOWN;
  const ids = [...(shown.view.filters.link ?? []), ...keysOf(shownRows(report.by.link ?? [], kind, most))];
  const [links, events] = await Promise.all([
    reader.nameLinks(ids),
    view.card === null && report.total > 0 ? (scope.readEvents?.(report) ?? []) : [],
  ]);
  return { scope, ...shown, timeZone, faults, links, events };
}

/** Click statistics, or that they do not respond: what else a page has is shown without them. */
export type ShownStatistics = Statistics | 'unavailable';

/** Like `readStatistics`, for a page that has more than the statistics. */
export async function readStatisticsIfPossible(...args: Parameters<typeof readStatistics>): Promise<ShownStatistics> {
  try {
    return await readStatistics(...args);
  } catch (error) {
    if (!isStatisticsOutage(error)) throw error;
    logProblem('statistics_unknown', error, { request_id: args[0].var.requestId });
    return 'unavailable';
  }
}

/** The breakdown that an address asks for as a file, or null. Throws what `getReport` throws. */
export async function readCsv(c: Context<PlatformEnv>, scope: Scope): Promise<Response | null> {
  const { view, fields } = askedOf(c, scope);
  const { csv } = fields;
  if (csv === undefined) return null;
  const { cards, more } = scope.breakdowns;
  const by = [...cards, ...more].find((each) => each === csv);
  if (by === undefined && csv !== TIME) {
    throw new AppError('not_found', 'There is no such file of click statistics.');
  }
  const asked = { ...view, isCompared: false, graph: null, card: by ?? null };
  const { report, unit } = await read(c, memberOf(c), scope.subject, asked, by ? [by] : []);
  const name = by ?? unit;
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="clicks-by-${name}.csv"`);
  return c.body(toCsv({ by: name, rows: by ? (report.by[by] ?? []) : report.rows }));
}

/** The name of the file of the hours, days or weeks of the chart. */
export const TIME = 'time';

/** The address of a page; the page of one link has no filter by link. */
function askedOf(c: Context<PlatformEnv>, { subject, breakdowns, hidden = [] }: Scope) {
  const { fields, lists } = readQueryAndLists(c, REPEATABLE_NAMES);
  const left = [...hidden, ...(subject.kind === 'link' ? ['link'] : [])].map((name) => [name, []]);
  return {
    fields,
    ...parseView(c.var.words, { fields, lists: { ...lists, ...Object.fromEntries(left) } }, breakdowns),
  };
}

interface Read {
  readonly view: View;
  readonly report: Report;
  readonly unit: Unit;
  readonly today: string;
  readonly isUnknownLink: boolean;
}

async function read(
  c: Context<PlatformEnv>,
  reader: Reader,
  subject: Scope['subject'],
  view: View,
  wanted: readonly Dimension[],
): Promise<Read> {
  const { db, statistics } = c.var;
  const { asker, clientId, timeZone } = reader;
  const { link: chosen, ...chips } = view.filters;
  const links = subject.kind === 'links' ? chosen?.filter((id) => subject.names.includes(id)) : chosen;
  const readWithoutLinks = async () => ({
    ...(await read(c, reader, subject, { ...view, filters: chips }, wanted)),
    isUnknownLink: true,
  });
  if (links?.length === 0) return readWithoutLinks();
  const own = filtersOf(chips);
  const filters = links !== undefined && subject.kind === 'campaign' ? ofCampaign(subject.name, own) : own;
  const wished = daysOf(view.chosen, timeZone);
  const earliest = view.isCompared ? addDays(wished.from, -1 - daysBetween(wished.from, wished.to)) : wished.from;
  const tz = zoneFor({ from: earliest, tz: timeZone }, filters);
  const days = daysOf(view.chosen, tz);
  const unit = unitOf(days, filtersBeyondVisitorKind(filters));
  const areLinksKnown = subject.kind === 'links';
  const asked = links === undefined ? subject : ({ kind: 'links', names: links } as const);
  const isCostly = view.card === null && asked.kind === 'client' && !isOfSums(asked, filters);
  const query = {
    ...days,
    tz,
    client_id: clientId,
    filters,
    unit,
    // All links of a workspace are read for the clicks of each that match filters.
    by: isCostly ? wanted.filter((each) => each !== 'link') : wanted,
    isCompared: view.isCompared,
    withScans: view.graph === 'qr' && view.card === null && unit !== 'hour',
    ...(view.card === null && { mostLinks: 2 * MAX_SHOWN }),
  };
  try {
    const report = await getReport({ db, statistics }, asker, asked, { ...query, areLinksKnown });
    return { view, report, unit, today: openClock(tz)(Date.now()).day, isUnknownLink: false };
  } catch (error) {
    if (links === undefined || !(error instanceof AppError) || error.code !== 'invalid_link') throw error;
    return readWithoutLinks();
  }
}

async function nameLinks(
  { var: { db, actor, site } }: Context<PlatformEnv>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedLink>> {
  const links = ids.length === 0 ? [] : await findLinks(db, actor, [...new Set(ids)]);
  return new Map(
    links.map((link) => [
      link.id,
      { title: link.title, shortUrl: shortUrlOf(link, site), url: link.url, isDeleted: link.state === 'deleted' },
    ]),
  );
}
