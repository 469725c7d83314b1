import type { Command } from 'commander-14';
import { collect, openService, wholeNumber, type CommonOptions } from '../context.ts';
import type { ClickedLink, Service } from '../service.ts';
import { printTable, type Column } from '../table.ts';
import { isTerminal, note, printJson } from '../terminal.ts';
import { readable } from '../text.ts';

interface ListOptions extends CommonOptions {
  readonly q?: string;
  readonly tag?: readonly string[];
  readonly campaign?: string;
  readonly domain?: string;
  readonly state?: ClickedLink['state'];
  readonly sort?: 'created' | 'clicks' | 'humans' | 'last_click';
  readonly limit: number;
  readonly all?: boolean;
}

const PAGE = 100;
const SHOWN = 20;
const MOST = 1_000_000;

const columnsOf = (title: 'CLICKS' | 'HUMANS'): readonly Column[] => [
  { title: 'SHORT LINK' },
  { title: 'DESTINATION', isFlexible: true, leftOut: 3 },
  { title, side: 'right', leftOut: 2 },
  { title: 'CREATED', leftOut: 1 },
];
const STATE: Column = { title: 'STATE' };

export function addList(program: Command): void {
  program
    .command('list')
    .description('Lists links, newest first')
    .option('--q <text>', 'a part of the destination, the slug or the title')
    .option('--tag <name>', 'with this tag; can be repeated', collect)
    .option('--campaign <name>', 'of this campaign')
    .option('--domain <host>', 'on this custom domain')
    .option('--state <state>', 'active, expired, disabled or deleted')
    .option('--sort <order>', 'created, clicks, humans (clicks by people) or last_click')
    .option('--limit <number>', 'how many', wholeNumber('--limit', MOST), SHOWN)
    .option('--all', 'all of them')
    .addHelpText(
      'after',
      '\nPiped, a link is a line with tabs between: short link, destination, clicks, time of creation.\n' +
        'Clicks are all of them; with --sort humans they are those by people.',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const service = openService(options);
      const most = options.all ? Infinity : options.limit;
      if (options.json || !isTerminal()) {
        for await (const { links } of pages(service, options, most)) await printPage(links, options);
        return;
      }
      const links: ClickedLink[] = [];
      let hasMore = false;
      for await (const page of pages(service, options, most)) {
        links.push(...page.links);
        hasMore = page.hasMore;
      }
      if (links.length === 0) return note('There are no such links.');
      await printLinks(links, options);
      if (hasMore) note(`There are more links: --limit shows more than ${links.length}, and --all all of them.`);
    });
}

interface Page {
  readonly links: readonly ClickedLink[];
  readonly hasMore: boolean;
}

/** The links page by page, at most so many in all. A page can be short before the last one. */
async function* pages(service: Service, options: ListOptions, most: number): AsyncGenerator<Page, void> {
  const { q, tag, campaign, domain, state, sort } = options;
  const filters = { q, tag: tag && [...tag], campaign_name: campaign, custom_domain: domain, state, sort };
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  let cursor: string | null = null;
  let left = most;
  do {
    const query = { ...service.client, ...given, limit: Math.min(PAGE, left), ...(cursor !== null && { cursor }) };
    const page: { links: ClickedLink[]; cursor: string | null } = await service.data(
      service.api.GET('/v1/links', { params: { query } }),
    );
    ({ cursor } = page);
    left -= page.links.length;
    yield { links: page.links, hasMore: cursor !== null };
  } while (cursor !== null && left > 0);
}

async function printPage(links: readonly ClickedLink[], options: ListOptions): Promise<void> {
  if (!options.json) return printLinks(links, options);
  for (const link of links) await printJson(link);
}

/** Prints links with the number that they are ordered by, if it is one of clicks. */
async function printLinks(links: readonly ClickedLink[], { sort }: ListOptions): Promise<void> {
  const counted = sort === 'humans' ? 'humans' : 'clicks';
  const all = columnsOf(counted === 'humans' ? 'HUMANS' : 'CLICKS');
  if (!isTerminal())
    return printTable(
      all,
      links.map((link) => rowOf(link, counted, false)),
    );
  const isPlain = links.every(({ state }) => state === 'active');
  const rows = links.map((link) => [...rowOf(link, counted, true), ...(isPlain ? [] : [link.state])]);
  await printTable([...all, ...(isPlain ? [] : [STATE])], rows);
}

function rowOf(link: ClickedLink, counted: 'clicks' | 'humans', isShort: boolean): readonly string[] {
  // They are null while the statistics do not respond.
  const clicks = String(link[counted] ?? '');
  if (!isShort) return [link.short_url, link.url, clicks, link.created_at];
  const shortUrl = readable(link.short_url.replace(/^https?:\/\//, ''));
  return [shortUrl, readable(link.url), clicks || '–', link.created_at.slice(0, 10)];
}
