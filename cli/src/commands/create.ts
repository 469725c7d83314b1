import { randomUUID } from 'node:crypto';
import type { Command } from 'commander-14';
import type { components } from '../../../client/terse.d.ts';
import { openService, wholeNumber, type CommonOptions } from '../context.ts';
import { EXIT, Failure, toJson, toText, usageFailure } from '../outcome.ts';
import { ask, readStdin } from '../prompt.ts';
import { ACCEPT_LINK, splitError, type Link, type Service } from '../service.ts';
import { plain, plainJson } from '../text.ts';
import { note, printJson, printLine } from '../terminal.ts';
import { instantOf } from '../time.ts';

type NewLink = components['schemas']['NewLinkJson'];

interface CreateOptions extends CommonOptions {
  readonly slug?: string;
  readonly domain?: string;
  readonly title?: string;
  readonly tags?: string;
  readonly campaign?: string;
  readonly comments?: string;
  readonly externalId?: string;
  readonly secId?: string;
  readonly metadata?: string;
  readonly starts?: string;
  readonly expires?: string;
  readonly maxClicks?: number;
  readonly expiredUrl?: string;
  readonly redirectStatus?: number;
  readonly forwardQuery?: 'keep' | 'override';
  readonly forwardPath?: boolean;
  readonly password?: boolean;
}

const LINKS_A_BATCH = 100;
const MOST = 1_000_000_000;

export function addCreate(program: Command): void {
  program
    .command('create')
    .description('Creates short links, and prints them')
    .argument('<url...>', 'destinations; "-" reads them from stdin, one on each line')
    .option('--slug <slug>', 'the path of the short link, for one URL')
    .option('--domain <host>', 'a custom domain')
    .option('--title <text>', 'a title')
    .option('--tags <names>', 'tags, with commas between')
    .option('--campaign <name>', 'a campaign')
    .option('--comments <text>', 'comments')
    .option('--external-id <id>', 'an id of your own, for one URL')
    .option('--sec-id <id>', 'the sec_id')
    .option('--metadata <json>', 'metadata, as JSON')
    .option('--starts <time>', 'when the link begins to work: as --expires')
    .option('--expires <time>', 'a time such as 2027-01-31T12:00:00Z, or 30m, 12h, 7d from now')
    .option('--max-clicks <number>', 'after how many clicks it expires', wholeNumber('--max-clicks', MOST))
    .option('--expired-url <url>', 'where an expired link leads')
    .option('--redirect-status <status>', '301, 302, 307 or 308', wholeNumber('--redirect-status', 599))
    .option('--forward-query <how>', 'pass the query on: keep or override')
    .option('--forward-path', 'pass on the path after the slug')
    .option('--password', 'ask for a password for visitors, without showing it')
    .action(async (urls: readonly string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const destinations = await readUrls(urls);
      refuseForSeveral(options, destinations.length);
      if (options.password && urls.includes('-') && !process.stdin.isTTY) {
        throw usageFailure('--password and "-" cannot both read stdin.');
      }
      const password = options.password ? await ask('Password for visitors (not shown): ', { isSecret: true }) : null;
      const service = openService(options);
      const fields = { ...fieldsOf(options), ...(password !== null && { password }), ...service.client };
      const [first, ...others] = destinations;
      if (others.length === 0 && first !== undefined)
        await printLink(await createOne(service, { ...fields, url: first }), options);
      else await createMany(service, destinations, fields, options);
    });
}

async function readUrls(words: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(words.map(async (word) => (word === '-' ? (await readStdin()).split('\n') : [word])));
  const urls = texts
    .flat()
    .map((url) => url.trim())
    .filter((url) => url !== '');
  if (urls.length === 0) throw usageFailure('There is no URL on stdin.');
  return urls;
}

function refuseForSeveral({ slug, externalId }: CreateOptions, urls: number): void {
  if (urls > 1 && slug !== undefined) throw usageFailure('--slug is for one URL: several links cannot have one slug.');
  if (urls > 1 && externalId !== undefined) throw usageFailure('--external-id is for one URL.');
}

function fieldsOf(options: CreateOptions): Omit<NewLink, 'url'> {
  const fields = {
    slug: options.slug,
    custom_domain: options.domain,
    title: options.title,
    tags: options.tags?.split(',').map((name) => name.trim()),
    campaign_name: options.campaign,
    comments: options.comments,
    external_id: options.externalId,
    sec_id: options.secId,
    metadata: options.metadata,
    starts_at: options.starts === undefined ? undefined : instantOf(options.starts),
    expires_at: options.expires === undefined ? undefined : instantOf(options.expires),
    max_clicks: options.maxClicks,
    expired_url: options.expiredUrl,
    redirect_status: options.redirectStatus,
    forward_query: options.forwardQuery,
    forward_path: options.forwardPath,
  };
  // The service says which values are not valid.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function createOne({ api, data }: Service, body: NewLink): Promise<Link> {
  const headers = { 'Idempotency-Key': randomUUID(), Accept: ACCEPT_LINK };
  const made = await data(api.POST('/v1/links', { body, headers, params: {} }));
  if ('id' in made) return made;
  throw new Failure('The service is older than this command, and did not describe the new link.');
}

async function createMany(
  { api, data }: Service,
  urls: readonly string[],
  fields: Omit<NewLink, 'url'>,
  options: CreateOptions,
): Promise<void> {
  for (let at = 0; at < urls.length; at += LINKS_A_BATCH) {
    const some = urls.slice(at, at + LINKS_A_BATCH);
    const links = some.map((url) => ({ ...fields, url }));
    const headers = { 'Idempotency-Key': randomUUID() };
    const { results } = await data(api.POST('/v1/links/batch', { body: { links }, headers, params: {} }));
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'created') await printLink(result.link, options);
      else refuse(some[index]!, result, options);
    }
  }
}

async function printLink(link: Link, { json }: CreateOptions): Promise<void> {
  await (json ? printJson(link) : printLine(plain(link.short_url)));
}

type Refused = components['schemas']['BatchRefused'];

function refuse(url: string, { error, errors = [], status }: Refused, { json }: CreateOptions): void {
  process.exitCode = EXIT.failed;
  const { code, sentence } = splitError(error);
  const fields = errors.filter(({ detail }) => errors.length > 1 || !sentence.includes(detail));
  const failure = new Failure(json ? sentence : `${url}: ${sentence}`, { code, status, fields });
  note(json ? plainJson(toJson(failure, { url })) : toText(failure));
}
