import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander-14';
import type { components } from '../../../client/terse.d.ts';
import { openService, type CommonOptions } from '../context.ts';
import { FIELD_OPTIONS, type FieldName } from '../create-options.ts';
import { EXIT, Failure, toJson, toText, usageFailure } from '../outcome.ts';
import { ask, readText } from '../prompt.ts';
import { ACCEPT_LINK, splitError, type Link, type Service } from '../service.ts';
import { plain, plainJson } from '../text.ts';
import { note, printJson, printLine } from '../terminal.ts';
import { instantOf } from '../time.ts';

type NewLink = components['schemas']['NewLinkJson'];

/** What else this command does with an option than to set its field. */
interface CreateOptions extends CommonOptions {
  readonly slug?: string;
  readonly externalId?: string;
  readonly password?: boolean;
}

const LINKS_A_BATCH = 100;

export function addCreate(program: Command): void {
  const create = program
    .command('create')
    .description('Creates short links, and prints them')
    .argument('<url...>', 'destinations; "-" reads them from stdin, one on each line');
  for (const { flags, help } of FIELD_OPTIONS) create.option(flags, help);
  create.action(async (urls: readonly string[], _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CreateOptions>();
    const destinations = await readUrls(urls);
    refuseForSeveral(options, destinations.length);
    if (options.password && urls.includes('-') && !process.stdin.isTTY) {
      throw usageFailure('--password and "-" cannot both read stdin.');
    }
    const password = options.password ? await ask('Password for visitors (not shown): ', { isSecret: true }) : null;
    const service = openService(options);
    const fields = { ...fieldsOf(command), ...(password !== null && { password }), ...service.client };
    const [first, ...others] = destinations;
    if (others.length === 0 && first !== undefined)
      await printLink(await createOne(service, { ...fields, url: first }), options);
    else await createMany(service, destinations, fields, options);
  });
}

async function readUrls(words: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(words.map(async (word) => (word === '-' ? (await readText()).split('\n') : [word])));
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

const READERS: { readonly [Name in FieldName]?: (text: string) => unknown } = {
  tags: (text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  starts_at: instantOf,
  expires_at: instantOf,
};

/** The fields that the options of a call set, without those that are asked for. The service checks the values. */
function fieldsOf(command: Command): Omit<NewLink, 'url'> {
  const fields = FIELD_OPTIONS.flatMap(({ field, name, isNumber, isAskedFor }) => {
    const given: unknown = command.getOptionValue(new Option(name).attributeName());
    if (isAskedFor || given === undefined) return [];
    if (typeof given !== 'string') return [[field, given]];
    const read = READERS[field] ?? (isNumber ? toNumber : String);
    return [[field, read(given)]];
  });
  return Object.fromEntries(fields);
}

function toNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

async function createOne({ api, data }: Service, body: NewLink): Promise<Link> {
  const headers = { 'Idempotency-Key': randomUUID(), Accept: ACCEPT_LINK };
  const made = await data(api.POST('/v1/links', { body, headers, params: {} }));
  if ('id' in made) return made;
  throw new Failure('The service is older than this command, and did not describe the new link.');
}

async function createMany(
  service: Service,
  urls: readonly string[],
  fields: Omit<NewLink, 'url'>,
  options: CreateOptions,
): Promise<void> {
  for (let at = 0; at < urls.length; at += LINKS_A_BATCH) {
    const some = urls.slice(at, at + LINKS_A_BATCH);
    const results = await createBatch(service, some, fields).catch((error: unknown) => {
      throw stoppedAt(error, urls, at, some.length);
    });
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'created') await printLink(result.link, options);
      else refuse(some[index]!, result, options);
    }
  }
}

async function createBatch(
  { api, data }: Service,
  urls: readonly string[],
  fields: Omit<NewLink, 'url'>,
): Promise<components['schemas']['BatchResults']['results']> {
  const links = urls.map((url) => ({ ...fields, url }));
  const headers = { 'Idempotency-Key': randomUUID() };
  const { results } = await data(api.POST('/v1/links/batch', { body: { links }, headers, params: {} }));
  return results;
}

// Without it, the next call would create the first links once more.
function stoppedAt(error: unknown, urls: readonly string[], at: number, unsure: number): unknown {
  if (!(error instanceof Failure)) return error;
  const mayExist = error.details.code === 'timeout' || error.details.code === 'unreachable';
  if (at === 0 && error.details.code !== 'timeout') return error;
  const next = mayExist ? `the next ${unsure} may have links too, from ${urls[at]} on` : `the next one is ${urls[at]}`;
  const progress = `${at} of ${urls.length} URLs are done; ${next}.`;
  const remedy = [error.details.remedy, progress].filter(Boolean).join(' ');
  return new Failure(error.message, { ...error.details, remedy }, { cause: error });
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
