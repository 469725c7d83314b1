import type { Fields } from '../../../input/validation.ts';
import type { Schemes } from '../../../network/schemes.ts';
import { MAX_ALIASES } from '../../fields/aliases.ts';
import { MAX_CAMPAIGN_CHARACTERS } from '../../fields/campaign-name.ts';
import { MAX_COMMENTS_CHARACTERS } from '../../fields/comments.ts';
import { MAX_TITLE_CHARACTERS } from '../../fields/title.ts';
import { foldSlug } from '../../slugs/slug.ts';
import type { Format, Role } from './format.ts';
import { isLimit, LIMIT_REASONS, readLimit } from './former-limit.ts';
import { addressOf, type Address } from './hosts.ts';
import { MAPPED } from './table.ts';
import { isNullDate, isNullWord } from '../null-words.ts';
import {
  countOf,
  exactInstantOf,
  instantOf,
  isAbsent,
  isObject,
  isYes,
  lineOf,
  linesOf,
  tagsOf,
  textOf,
} from './values.ts';
import { readVisitors } from './visitors.ts';

/** The two ways to treat a link that would be open to more people than before: `disable` creates it disabled. */
export const UNPROTECTED = ['disable', 'publish'] as const;
export type Unprotected = (typeof UNPROTECTED)[number];

/** A row of another service in the fields of this one. */
interface Converted {
  /** As a row of this service's own format has them, without the domain. */
  readonly fields: Fields;
  /** The host of its short URL; null if the row does not say it. */
  readonly host: string | null;
  /** Milliseconds; null if the row does not say it. */
  readonly createdAt: number | null;
  /** The number of clicks of its limit that are left; null if it has none. */
  readonly clicksLeft: number | null;
  /** The notes on what is not kept of it, for people. */
  readonly notes: readonly string[];
  /** True if it had clicks, whose total alone is kept. */
  readonly hasOnlyTotal: boolean;
  /** Why no link is created for it, or null. */
  readonly skipped: string | null;
}

const DELETED = 'The link was deleted where it comes from.';
const OF_DOMAIN = 'It is the address of the domain itself: set the root URL of the domain instead.';

// Of addresses that are not kept.
const MAX_NAMED = 5;

/** Converts a row, whose values are texts, and in JSON also lists and objects. */
export function convert(format: Format, row: Fields, unprotected: Unprotected, schemes?: Schemes): Converted {
  const given = givenIn(format, row);
  const textIn = (role: Role) => textOf(given[role]);
  const notes: string[] = [];
  const reasons: string[] = [];
  const address = readAddress(given, notes);
  const clicks = readClicks(textIn('imported_clicks'), notes);
  const dates = readDates(given, reasons);
  const limit = readLimit(given.max_clicks, clicks);
  if (given.limits !== undefined) reasons.push('Its limits cannot be read');
  if (typeof limit === 'string') reasons.push(LIMIT_REASONS[limit]);
  if (isLimit(limit) && limit.left === 0) notes.push('All clicks of its limit are used: it is created disabled.');
  if (isYes(given.has_password)) reasons.push('It had a password, which the file does not have');
  if (isYes(given.banned)) reasons.push('It was banned');
  const status = readStatus(textIn('status'));
  const isArchived = isYes(given.archived) || status === 'other';
  if (isArchived) notes.push('It was archived or not active: it is created disabled.');
  if (isYes(given.has_rules)) notes.push('Its redirect rules are not in the file.');
  const isOpen = unprotected === 'publish';
  for (const reason of reasons)
    notes.push(isOpen ? `${reason}: it is open now.` : `${reason}: it is created disabled.`);
  const visitors = readVisitors(given, format, notes, schemes);
  notes.push(...droppedIn(format, row));
  const disabled = isArchived || (reasons.length > 0 && !isOpen);
  const fields = {
    ...visitors,
    ...(address.slug !== '' && { slug: address.slug }),
    ...(address.aliases.length > 0 && { aliases: address.aliases }),
    ...readTexts(textIn, notes),
    ...readTags(given.tags, format.tagSeparator ?? ',', notes),
    ...dates,
    ...(isLimit(limit) && { max_clicks: limit.total }),
    ...(clicks !== null && { imported_clicks: clicks }),
    ...(disabled && { disabled }),
  };
  // A mapped column may have the host alone. Every other format has the whole address, which is never without a slug.
  const isOfDomain = format.id !== MAPPED && address.isRoot;
  const isDeleted = isYes(given.deleted) || status === 'deleted';
  return {
    fields,
    host: address.host,
    createdAt: readCreation(textIn('created_at'), notes),
    clicksLeft: isLimit(limit) ? limit.left : null,
    notes,
    hasOnlyTotal: clicks !== null && clicks > 0,
    skipped: isDeleted ? DELETED : isOfDomain ? OF_DOMAIN : (format.refusalOf?.(textIn('url')) ?? null),
  };
}

/** When a link was created; null if that is not said, or cannot have been. */
export function readCreation(text: string, notes: string[]): number | null {
  if (text === '') return null;
  const at = instantOf(text);
  if (at !== null && at >= 0 && at <= Date.now()) return at;
  notes.push('Its creation date cannot be read, or is still to come: it is created as of now.');
  return null;
}

type Given = Partial<Record<Role, unknown>>;

const FLAGS: ReadonlySet<Role> = new Set(['has_password', 'banned', 'archived', 'deleted', 'has_rules']);

const droppedIn = ({ dropped = {} }: Format, row: Fields): ReadonlySet<string> =>
  new Set(Object.entries(dropped).flatMap(([column, note]) => (isYes(row[column] ?? '') ? [note] : [])));
// A title can be NULL, if it is quoted.
const TEXTS: ReadonlySet<Role> = new Set(['url', 'slug', 'title', 'comments', 'campaign_name', 'tags']);

// What these hold must be read, whatever it is.
const LIMITING: ReadonlySet<Role> = new Set(['starts_at', 'expires_at', 'ttl', 'max_clicks']);

// The first column with a value counts, in the order of the format; of flags one that is set.
function givenIn({ columns, none = {} }: Format, row: Fields): Given {
  const given: Given = {};
  for (const [column, role] of Object.entries(columns)) {
    const value = Object.hasOwn(row, column) ? row[column] : undefined;
    const isAbsent = value == null || value === '' || none[role]?.includes(textOf(value));
    if (isAbsent || (!TEXTS.has(role) && (isNullWord(value) || isNullDate(value)))) continue;
    if (FLAGS.has(role) && isYes(value)) given[role] = value;
    else if (isOfRole(role, value)) given[role] ??= value;
  }
  return given;
}

function isOfRole(role: Role, value: unknown): boolean {
  if (role === 'countries') return isObject(value);
  return role === 'limits' ? !isObject(value) : !isObject(value) || LIMITING.has(role);
}

interface FormerAddress {
  readonly host: string | null;
  readonly slug: string;
  /** Its further slugs on the same host. */
  readonly aliases: readonly string[];
  /** True if it is the root of its host. */
  readonly isRoot: boolean;
}

function readAddress(given: Given, notes: string[]): FormerAddress {
  const [custom = '', ...further] = listOf(given.custom_short_url);
  const slugCell = textOf(given.slug);
  // Some tables have the whole address where others have the slug.
  const isWhole = /^https?:\/\//i.test(slugCell);
  const [short = ''] = listOf(given.short_url ?? (isWhole ? slugCell : ''));
  const address = addressOf(custom || short);
  const domain = textOf(given.domain);
  const path = isWhole ? '' : slugCell.replace(/^\/+/, '');
  // What cannot be read stays as it is, so that the row is refused, instead of getting another slug.
  const slug = path === '' ? '' : addressOf(`/${path}`)?.slug || path;
  const unread = address === null ? custom || short : '';
  const host = (domain === '' ? null : addressOf(domain)?.host) ?? address?.host ?? null;
  const isRoot = slug === '' && address !== null && Boolean(address.host) && address.slug === '';
  const others = custom === '' || custom === short ? further : [short, ...further];
  const own = { host: host === '' ? null : host, slug: slug || address?.slug || unread };
  return { ...own, isRoot, aliases: readAliases(own, others, notes) };
}

/** The slugs of other short URLs of a link; a note for each that is on another host, or differs in case only. */
function readAliases(own: Address, others: readonly string[], notes: string[]): string[] {
  const aliases: string[] = [];
  const folded = new Set([foldSlug(own.slug)]);
  let left = 0;
  for (const text of others.filter((other) => other !== '')) {
    const address = addressOf(text);
    const isAlias = address?.host === own.host && address.slug !== '' && aliases.length < MAX_ALIASES;
    if (isAlias && address.slug === own.slug) continue;
    if (isAlias && !folded.has(foldSlug(address.slug))) {
      folded.add(foldSlug(address.slug));
      aliases.push(address.slug);
    } else if (++left <= MAX_NAMED) notes.push(`Its other address ${text.slice(0, 100)} is not kept.`);
  }
  if (left > MAX_NAMED) notes.push(`${left - MAX_NAMED} more of its addresses are not kept.`);
  return aliases;
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(textOf);

function readTexts(textIn: (role: Role) => string, notes: string[]) {
  const title = lineOf(textIn('title'), MAX_TITLE_CHARACTERS);
  const comments = linesOf(textIn('comments'), MAX_COMMENTS_CHARACTERS);
  const campaign = lineOf(textIn('campaign_name'), MAX_CAMPAIGN_CHARACTERS);
  if (title.isCut) notes.push(`Its title is cut to ${MAX_TITLE_CHARACTERS} characters.`);
  if (comments.isCut) notes.push(`Its comments are cut to ${MAX_COMMENTS_CHARACTERS} characters.`);
  if (campaign.isCut) notes.push(`Its campaign is cut to ${MAX_CAMPAIGN_CHARACTERS} characters.`);
  return { title: title.line, comments: comments.line, campaign_name: campaign.line };
}

function readTags(value: unknown, separator: string, notes: string[]) {
  const { tags, left } = tagsOf(value, separator);
  if (left > 0)
    notes.push(`${left === 1 ? '1 tag is' : `${left} tags are`} left out: too many, too long or not valid.`);
  return tags.length === 0 ? {} : { tags };
}

function readClicks(text: string, notes: string[]): number | null {
  const clicks = countOf(text);
  if (clicks === null && text !== '') notes.push('Its clicks cannot be read, and are not kept.');
  return clicks;
}

function readDates(given: Given, reasons: string[]): { readonly [name: string]: string } {
  const dates: Record<string, string> = {};
  for (const role of ['starts_at', 'expires_at'] as const) {
    const [value, read] = role === 'expires_at' ? expiryIn(given) : [given[role], instantOf];
    if (isAbsent(value)) continue;
    const at = read(textOf(value));
    if (at !== null) dates[role] = new Date(at).toISOString();
    else reasons.push(role === 'expires_at' ? 'Its expiry date cannot be read' : 'Its start date cannot be read');
  }
  return dates;
}

const expiryIn = ({ expires_at: date, ttl }: Given) =>
  isAbsent(date) ? ([ttl, exactInstantOf] as const) : ([date, instantOf] as const);

function readStatus(text: string): 'active' | 'deleted' | 'other' {
  const word = text.toLowerCase();
  if (word === 'deleted' || word === 'trashed') return 'deleted';
  return ['', 'active', 'enabled', 'published', 'live', 'ok'].includes(word) ? 'active' : 'other';
}
