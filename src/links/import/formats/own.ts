import { AppError } from '../../../errors.ts';
import { isLoopback, parseDomainName, type Site } from '../../../network/hosts.ts';
import { fieldError, type Fields } from '../../../input/validation.ts';
import type { Former } from '../import-row.ts';
import { readCreation, type Unprotected } from './convert.ts';
import { UNKNOWN_LEFT } from './former-limit.ts';
import { addressOf, isOwnHost, NO_CHOICES, placeOf, type Address, type HostChoices } from './hosts.ts';
import { countOf, EACH_CONTROL, isAmbiguousCount, textOf } from './values.ts';

/** A row in the format of this service. */
interface OwnRow extends Former {
  /** With the domain on which the link is to be; an error if there is none. */
  readonly fields: Fields | AppError;
  /** The host of its short URL; null if the row does not say it, or it is the service's own. */
  readonly host: string | null;
  readonly notes: readonly string[];
}

/** The choices of a caller for such a file. */
interface OwnOptions {
  readonly hosts?: HostChoices;
  readonly unprotected?: Unprotected;
}

const MAX_NAME = 200;

/** True for columns of an export, in which the limit of a link says nothing without the clicks that are left. */
export const isExport = (columns: ReadonlyMap<string, unknown>): boolean =>
  columns.has('id') || columns.has('clicks_left');

/**
 * Reads a row.
 *
 * @param hasItsColumns whether the columns of the file are those of an export
 */
export function readOwn(given: Fields, options: OwnOptions, site: Site, hasItsColumns: boolean): OwnRow {
  const row = withTitleInOneLine(given);
  const notes: string[] = [];
  const isOfExport = hasItsColumns || Object.hasOwn(row, 'id') || Object.hasOwn(row, 'clicks_left');
  const created = textIn(row, 'created_at');
  const createdAt = created === '' ? null : readCreation(created, notes);
  const customDomain = textIn(row, 'custom_domain');
  const short = shortAddressOf(row, customDomain);
  const host = hostOf(customDomain, short, site);
  const hasPassword = readPassword(row, options, notes);
  const left = textIn(row, 'clicks_left');
  const limit = readLimit(textIn(row, 'max_clicks'), left, options, isOfExport, notes);
  const domain = domainOf(customDomain, host, options, site);
  const isSlugless = short.slug !== '' && textIn(row, 'slug') === '';
  const fields = { ...row, ...hasPassword, ...(isSlugless && { slug: short.slug }) };
  return {
    fields: faultOf(left) ?? (domain instanceof AppError ? domain : { ...fields, ...domain }),
    host,
    notes,
    createdAt,
    isOfExport,
    ...limit,
  };
}

/** The text of a column; '' if the row does not have it, or leaves it empty. */
function textIn(row: Fields, name: string): string {
  const value = row[name] ?? '';
  return value === '' ? '' : textOf(value);
}

function withTitleInOneLine(row: Fields): Fields {
  const { title } = row;
  if (typeof title !== 'string' || !/[\r\n]/.test(title)) return row;
  return { ...row, title: title.replaceAll(EACH_CONTROL, ' ').trim() };
}

// Its limit would be another one by each reading.
function faultOf(clicksLeft: string): AppError | null {
  if (clicksLeft === '' || !isAmbiguousCount(clicksLeft)) return null;
  return fieldError(
    'malformed_row',
    'clicks_left',
    'clicks_left can be read as two numbers. Write it without signs between its digits.',
  );
}

function hostOf(customDomain: string, { host }: Address, site: Site): string | null {
  const named = customDomain.toLowerCase().slice(0, MAX_NAME);
  if (named !== '') return parseDomainName(named) ?? named;
  return host !== null && !isOfService(host, site) ? host : null;
}

function domainOf(
  customDomain: string,
  host: string | null,
  { hosts = NO_CHOICES }: OwnOptions,
  site: Site,
): Fields | AppError {
  const isForeign = host !== null && customDomain === '';
  if (isForeign || hosts.others !== undefined || hosts.of.size > 0) {
    const placed = placeOf(host, hosts, site, false);
    return placed instanceof AppError ? placed : { custom_domain: placed.place };
  }
  return host !== null && isOwnHost(host, site) ? { custom_domain: null } : {};
}

/** The address by the short URL of a row without a column for it. One that cannot be read is a slug, and refused. */
function shortAddressOf(row: Fields, customDomain: string): Address {
  const text = textIn(row, 'short_url');
  if (text === '' || customDomain !== '') return { host: null, slug: '' };
  return addressOf(text) ?? { host: null, slug: text };
}

// The export of a service on this machine is imported by a tool that has another port, or none.
const isOfService = (host: string, site: Site): boolean => {
  const url = URL.parse(`http://${host}`);
  return isOwnHost(host, site) || (url !== null && isLoopback(url));
};

function readPassword(row: Fields, { unprotected }: OwnOptions, notes: string[]): Fields {
  if (row['has_password'] !== true || unprotected !== 'publish') return {};
  notes.push('It had a password, which the file does not have: it is open now.');
  return { has_password: false };
}

// A link of the file may exist here with its whole limit, so that a note says only what becomes of a new one.
function readLimit(
  maxClicks: string,
  clicksLeft: string,
  { unprotected }: OwnOptions,
  isOfExport: boolean,
  notes: string[],
): Pick<Former, 'clicksLeft' | 'isHeldBack'> {
  const whole = { clicksLeft: null, isHeldBack: false };
  const limit = isOfExport && maxClicks !== '' ? countOf(maxClicks) : null;
  if (limit === null) return whole;
  const left = countOf(clicksLeft);
  if (left === null || left > limit) {
    const isOpen = unprotected === 'publish';
    const becomes = isOpen ? 'a new link is open to all of them' : 'a new link is disabled';
    notes.push(`${UNKNOWN_LEFT}: ${becomes}.`);
    return { clicksLeft: null, isHeldBack: !isOpen };
  }
  if (left === limit) return whole;
  if (left === 0) notes.push('All clicks of its limit are used: a new link is disabled.');
  else notes.push(`${left} of its ${limit} clicks ${left === 1 ? 'is' : 'are'} left: a new link has this limit.`);
  return { clicksLeft: left, isHeldBack: false };
}
