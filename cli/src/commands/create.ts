import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander-14';
import type { components } from '../../client/terse.d.ts';
import { openService, type CommonOptions } from '../context.ts';
import { FIELD_OPTIONS, type FieldName } from '../create-options.ts';
import { EXIT, Failure, toJson, toText, usageFailure } from '../outcome.ts';
import { ask, readText } from '../prompt.ts';
import { ACCEPT_LINK, splitError, type Link, type Service } from '../service.ts';
import { plain, plainJson } from '../text.ts';
import { note, printJson, printLine } from '../terminal.ts';
import { instantOf } from '../time.ts';

type NewLink = components['schemas']['NewLinkJson'];

/** The effects of an option of this command, besides setting its field. */
interface CreateOptions extends CommonOptions {
  readonly slug?: string;
  readonly externalId?: string;
  readonly password?: boolean;
  readonly reuse?: boolean;
}

/** A URL to create a link for, and its line if it was on stdin; the first is 1. */
interface Destination {
  readonly url: string;
  readonly line?: number;
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
    if (others.length === 0 && first !== undefined) await printLink(await createOne(service, first, fields), options);
    else await createMany(service, destinations, fields, options);
  });
}

async function readUrls(words: readonly string[]): Promise<readonly Destination[]> {
  const lists = await Promise.all(words.map(async (word) => (word === '-' ? readLines() : [{ url: word }])));
  const urls = lists
    .flat()
    .map((destination) => ({ ...destination, url: destination.url.trim() }))
    .filter(({ url }) => url !== '');
  if (urls.length === 0) throw usageFailure('There is no URL on stdin.');
  return urls;
}

// A blank line counts, so that the numbers are those of an editor.
const readLines = async (): Promise<Destination[]> =>
  (await readText()).split(/\r\n?|\n/).map((url, index) => ({ url, line: index + 1 }));

function refuseForSeveral({ slug, externalId, reuse }: CreateOptions, urls: number): void {
  if (urls > 1 && slug !== undefined) throw usageFailure('--slug is for one URL: several links cannot have one slug.');
  if (urls > 1 && externalId !== undefined) throw usageFailure('--external-id is for one URL.');
  if (urls > 1 && reuse) throw usageFailure('--reuse is for one URL.');
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

async function createOne(
  { api, data }: Service,
  destination: Destination,
  fields: Omit<NewLink, 'url'>,
): Promise<Link> {
  const headers = { 'Idempotency-Key': randomUUID(), Accept: ACCEPT_LINK };
  const body = { ...fields, url: destination.url };
  const made = await data(api.POST('/v1/links', { body, headers, params: {} })).catch((error: unknown) => {
    if (destination.line === undefined) throw error;
    throw isOfLink(error) ? atLine(error, destination) : stoppedAt(error, [destination], 0, 1);
  });
  if ('id' in made) return made;
  throw new Failure('The service is older than this command, and did not describe the new link.');
}

// The others refuse the credential, or say to try again later.
const OF_CALLER = new Set([401, 403, 429]);

function isOfLink(error: unknown): error is Failure {
  const status = error instanceof Failure ? (error.details.status ?? 0) : 0;
  return status >= 400 && status < 500 && !OF_CALLER.has(status);
}

/** A failure, with the place of its URL added. */
function atLine(failure: Failure, destination: Destination): Failure {
  return new Failure(failure.message, { ...failure.details, ...placeOf(destination) }, { cause: failure });
}

const placeOf = ({ url, line }: Destination) =>
  line === undefined ? { place: url, url } : { place: `Line ${line}: ${url}`, url, line };

async function createMany(
  service: Service,
  destinations: readonly Destination[],
  fields: Omit<NewLink, 'url'>,
  options: CreateOptions,
): Promise<void> {
  for (let at = 0; at < destinations.length; at += LINKS_A_BATCH) {
    const some = destinations.slice(at, at + LINKS_A_BATCH);
    const results = await createBatch(service, some, fields).catch((error: unknown) => {
      throw stoppedAt(error, destinations, at, some.length);
    });
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'created') await printLink(result.link, options);
      else refuse(some[index]!, result, options);
    }
  }
}

async function createBatch(
  { api, data }: Service,
  destinations: readonly Destination[],
  fields: Omit<NewLink, 'url'>,
): Promise<components['schemas']['BatchResults']['results']> {
  const links = destinations.map(({ url }) => ({ ...fields, url }));
  const headers = { 'Idempotency-Key': randomUUID() };
  const { results } = await data(api.POST('/v1/links/batch', { body: { links }, headers, params: {} }));
  return results;
}

// Without it, the next call would create the first links once more.
function stoppedAt(error: unknown, destinations: readonly Destination[], at: number, unsure: number): unknown {
  const next = destinations[at];
  if (!(error instanceof Failure) || next === undefined) return error;
  const { line } = next;
  const mayExist = error.details.code === 'timeout' || error.details.code === 'unreachable';
  if (at === 0 && line === undefined && error.details.code !== 'timeout') return error;
  const place = line === undefined ? next.url : `${next.url} (line ${line})`;
  const some =
    unsure === 1 ? `${place} may have a link too` : `the next ${unsure} may have links too, from ${place} on`;
  const rest = mayExist ? some : `the next one is ${place}`;
  const progress = `${at} of ${destinations.length} URLs are done; ${rest}.`;
  const details = {
    ...error.details,
    remedy: [error.details.remedy, progress].filter(Boolean).join(' '),
    ...(line !== undefined && { line }),
  };
  return new Failure(error.message, details, { cause: error });
}

async function printLink(link: Link, { json }: CreateOptions): Promise<void> {
  await (json ? printJson(link) : printLine(plain(link.short_url)));
}

type Refused = components['schemas']['BatchRefused'];

function refuse(of: Destination, { error, errors = [], status }: Refused, { json }: CreateOptions): void {
  process.exitCode = EXIT.failed;
  const { code, sentence } = splitError(error);
  const fields = errors.filter(({ detail }) => errors.length > 1 || !sentence.includes(detail));
  const failure = new Failure(sentence, { code, status, fields, ...placeOf(of) });
  note(json ? plainJson(toJson(failure)) : toText(failure));
}
