import type { Context } from 'hono';
import { ofCampaign, repeatableNames } from '../../clicks/filter-fields.ts';
import type { StatsSubject } from '../../clicks/days.ts';
import { getReport, zoneFor, type Dimension, type Report, type Unit } from '../../clicks/report.ts';
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
import { CARD, type CardName } from './cards.ts';
import { daysOf, unitOf } from './periods.ts';
import { mostClicked } from './shown-rows.ts';
import { parseView, toFilters, type View } from './view.ts';

/** Whose clicks a page of click statistics shows, and where it is. */
export interface Scope {
  /** Links that are named, such as those of a domain, come from the database; a page with them has the card of links too. */
  readonly subject: StatsSubject;
  /** The path of the page. */
  readonly path: string;
  /** Its cards; the first is shown if the address names none. */
  readonly cards: readonly CardName[];
  /** The breakdowns that its cards leave out, and its filters too. */
  readonly hidden?: readonly Dimension[];
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

/** The breakdowns of a card of a page. */
export const shownIn = (card: CardName, { hidden = [] }: Scope): readonly Dimension[] =>
  CARD[card].by.filter((by) => !hidden.includes(by));

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
}

export interface NamedLink {
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
  const { isUnknownLink, ...shown } = await read(c, reader, scope.subject, view, shownIn(view.card, scope));
  if (isUnknownLink) {
    faults.push('A link of the filter was deleted, or is not in this workspace, so the filter by link is left out.');
  }
  const ids = [...(shown.view.filters.link ?? []), ...mostClicked(shown.report.by.link ?? [])];
  return { scope, ...shown, timeZone, faults, links: await reader.nameLinks(ids) };
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
  const by = scope.cards.flatMap((card) => shownIn(card, scope)).find((each) => each === csv);
  if (by === undefined) throw new AppError('not_found', 'There is no such file of click statistics.');
  const { report } = await read(c, memberOf(c), scope.subject, { ...view, isCompared: false }, [by]);
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="clicks-by-${by}.csv"`);
  return c.body(toCsv({ by, rows: report.by[by] ?? [] }));
}

/** The address of a page; the page of one link has no filter by link. */
function askedOf(c: Context<PlatformEnv>, { subject, cards, hidden = [] }: Scope) {
  const { fields, lists } = readQueryAndLists(c, repeatableNames());
  const left = [...hidden, ...(subject.kind === 'link' ? ['link'] : [])].map((name) => [name, []]);
  return { fields, ...parseView({ fields, lists: { ...lists, ...Object.fromEntries(left) } }, cards) };
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
  by: readonly Dimension[],
): Promise<Read> {
  const { db, statistics } = c.var;
  const { asker, clientId, timeZone } = reader;
  const { link: wanted, ...chips } = view.filters;
  const links = subject.kind === 'links' ? wanted?.filter((id) => subject.names.includes(id)) : wanted;
  const readWithoutLinks = async () => ({
    ...(await read(c, reader, subject, { ...view, filters: chips }, by)),
    isUnknownLink: true,
  });
  if (links?.length === 0) return readWithoutLinks();
  const own = toFilters(chips);
  const filters = links !== undefined && subject.kind === 'campaign' ? ofCampaign(subject.name, own) : own;
  const wished = daysOf(view.chosen, timeZone);
  const earliest = view.isCompared ? addDays(wished.from, -1 - daysBetween(wished.from, wished.to)) : wished.from;
  const tz = zoneFor({ from: earliest, tz: timeZone }, filters);
  const days = daysOf(view.chosen, tz);
  const unit = unitOf(days, filtersBeyondVisitorKind(filters));
  const query = { ...days, tz, client_id: clientId, filters, unit, by, isCompared: view.isCompared };
  const areLinksKnown = subject.kind === 'links';
  const asked = links === undefined ? subject : ({ kind: 'links', names: links } as const);
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
      { shortUrl: shortUrlOf(link, site), url: link.url, isDeleted: link.state === 'deleted' },
    ]),
  );
}
