import type { Command } from 'commander-14';
import { DIMENSIONS } from '../../../src/statistics/facts.ts';
import { collect, openService, wholeNumber, type CommonOptions } from '../context.ts';
import { findLink } from '../find-link.ts';
import { usageFailure } from '../outcome.ts';
import { printChart } from '../chart.ts';
import type { Link, Service, Stats } from '../service.ts';
import { printJson } from '../terminal.ts';
import { daysOf } from '../time.ts';

interface StatsOptions extends CommonOptions {
  readonly period: string;
  readonly from?: string;
  readonly to?: string;
  readonly tz: string;
  readonly by: string;
  readonly filter?: readonly string[];
  readonly campaign?: string;
  readonly tag?: string;
  readonly compare?: string | false;
  readonly limit: number;
}

const ROWS = 100;
const MAX_ROWS = 1000;

const FILTERS: readonly string[] = [...DIMENSIONS, 'visitor'];

export function addStats(program: Command): void {
  program
    .command('stats')
    .description('Shows the clicks of a link, a campaign, a tag, or of all links')
    .argument('[link]', 'an id, a slug or a short link; all links if left out')
    .option('--period <days>', 'today, month, or a number of days or weeks such as 7d, 4w', '30d')
    .option('--from <day>', 'the first day, such as 2027-01-31, instead of --period')
    .option('--to <day>', 'the last day')
    .option('--tz <zone>', 'the time zone of days, such as Europe/Berlin', 'UTC')
    .option(
      '--by <breakdown>',
      'day, hour, weekday, country, referrer, browser, os, device, language, link, campaign, destination, via, utm_medium or utm_campaign',
      'day',
    )
    .option('--filter <name=value>', 'such as country=DE or visitor=human; can be repeated', collect)
    .option('--campaign <name>', 'the clicks of a campaign')
    .option('--tag <name>', 'the clicks of links with a tag')
    .option('--compare <day>', 'compare with as many days from this one on; "previous" for those before', 'previous')
    .option('--no-compare', 'compare with nothing')
    .option('--limit <number>', 'how many rows', wholeNumber('--limit', MAX_ROWS), ROWS)
    .action(async (name: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StatsOptions>();
      const query = queryOf(name, options);
      const service = openService(options);
      const link = name === undefined ? null : await findLink(service, name);
      const stats = await askFor(service, link, query);
      if (options.json) return printJson({ link, ...stats });
      await printChart(titleOf(link, options), stats);
    });
}

type Query = Readonly<Record<string, string | number | readonly string[]>>;

function queryOf(name: string | undefined, options: StatsOptions): Query {
  const { campaign, tag, tz, by, compare, limit, filter = [] } = options;
  if (name !== undefined && (campaign !== undefined || tag !== undefined)) {
    throw usageFailure('--campaign and --tag are for the clicks of several links: leave the link out.');
  }
  return {
    ...rangeOf(options),
    tz,
    by,
    limit,
    ...(compare && { compare }),
    ...(campaign !== undefined && { campaign_name: campaign }),
    ...(tag !== undefined && { tag }),
    ...filtersOf(filter),
  };
}

function rangeOf({ from, to, period, tz }: StatsOptions): { from?: string; to?: string } {
  if (from === undefined && to === undefined) return daysOf(period, tz);
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function filtersOf(words: readonly string[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    if (at < 1 || !FILTERS.includes(name)) {
      throw usageFailure(`--filter takes a name and a value, such as country=DE; the names are ${FILTERS.join(', ')}.`);
    }
    (filters[name] ??= []).push(value);
  }
  return filters;
}

function askFor({ api, data, client }: Service, link: Link | null, query: Query): Promise<Stats> {
  // The service checks the values, and says which are not valid.
  if (link === null) return data(api.GET('/v1/stats', { params: { query: { ...client, ...query } } }));
  return data(api.GET('/v1/links/{id}/stats', { params: { path: { id: link.id }, query } }));
}

function titleOf(link: Link | null, { campaign, tag }: StatsOptions): string {
  if (link !== null) return `${link.short_url} → ${link.url}`;
  const parts = [campaign && `campaign ${campaign}`, tag && `tag ${tag}`].filter(Boolean);
  return parts.length > 0 ? `Links of ${parts.join(', ')}` : 'All links';
}
