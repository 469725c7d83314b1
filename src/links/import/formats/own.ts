import { AppError } from '../../../errors.ts';
import { isLoopback, parseDomainName, type Site } from '../../../network/hosts.ts';
import { fieldError, type Fields } from '../../../input/validation.ts';
import type { Former } from '../import-row.ts';
import { readCreation, UNKNOWN_LEFT, type Unprotected } from './convert.ts';
import { addressOf, isOwnHost, NO_CHOICES, placeOf, type Address, type HostChoices } from './hosts.ts';
import { titleInOneLine } from './own-values.ts';
import { countOf, isAmbiguousCount, textOf } from './values.ts';

/** A row in the format of this service. */
interface OwnRow extends Former {
  /** With the domain on which the link is to be; an error if there is none. */
  readonly fields: Fields | AppError;
  /** The host of its short URL; null if the row does not say it, or it is the service's own. */
  readonly host: string | null;
  readonly notes: readonly string[];
}

/** What a caller says of such a file. */
interface OwnOptions {
  readonly hosts?: HostChoices;
  readonly unprotected?: Unprotected;
}

const MAX_NAME = 200;

/** Whether columns are those of an export, in which the limit of a link says nothing without the clicks that are left. */
export const isExport = (columns: ReadonlyMap<string, unknown>): boolean =>
  columns.has('id') || columns.has('clicks_left');

/**
 * Reads a row.
 *
 * @param hasItsColumns whether the columns of the file are those of an export
 */
export function readOwn(given: Fields, options: OwnOptions, site: Site, hasItsColumns: boolean): OwnRow {
  const title = titleInOneLine(given['title']);
  const row = title === null ? given : { ...given, title };
  const notes: string[] = [];
  const isOfExport = hasItsColumns || Object.hasOwn(row, 'id') || Object.hasOwn(row, 'clicks_left');
  const createdAt = readCreation(textOf(row['created_at']), notes);
  const host = hostOf(row, site);
  const hasPassword = readPassword(row, options, notes);
  const limit = readLimit(row, options, isOfExport, notes);
  const domain = domainOf(row, host, options, site);
  const short = shortAddressOf(row);
  const isSlugless = short.slug !== '' && textOf(row['slug']) === '';
  const fields = { ...row, ...hasPassword, ...(isSlugless && { slug: short.slug }) };
  return {
    fields: faultOf(row) ?? (domain instanceof AppError ? domain : { ...fields, ...domain }),
    host,
    notes,
    createdAt,
    isOfExport,
    ...limit,
  };
}

// Its limit would be another one by each reading.
function faultOf(row: Fields): AppError | null {
  if (!isAmbiguousCount(textOf(row['clicks_left']))) return null;
  return fieldError(
    'malformed_row',
    'clicks_left',
    'clicks_left can be read as two numbers. Write it without signs between its digits.',
  );
}

function hostOf(row: Fields, site: Site): string | null {
  const named = textOf(row['custom_domain']).toLowerCase().slice(0, MAX_NAME);
  if (named !== '') return parseDomainName(named) ?? named;
  const { host } = shortAddressOf(row);
  return host !== null && !isOfService(host, site) ? host : null;
}

function domainOf(row: Fields, host: string | null, { hosts = NO_CHOICES }: OwnOptions, site: Site): Fields | AppError {
  const isForeign = host !== null && textOf(row['custom_domain']) === '';
  if (isForeign || hosts.others !== undefined || hosts.of.size > 0) {
    const placed = placeOf(host, hosts, site, false);
    return placed instanceof AppError ? placed : { custom_domain: placed.place };
  }
  return host !== null && isOwnHost(host, site) ? { custom_domain: null } : {};
}

/** What the short URL of a row says where no column does. One that cannot be read is a slug, so that its row is refused. */
function shortAddressOf(row: Fields): Address {
  const text = textOf(row['short_url']);
  if (text === '' || textOf(row['custom_domain']) !== '') return { host: null, slug: '' };
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
  row: Fields,
  { unprotected }: OwnOptions,
  isOfExport: boolean,
  notes: string[],
): Pick<Former, 'clicksLeft' | 'isHeldBack'> {
  const whole = { clicksLeft: null, isHeldBack: false };
  const limit = countOf(textOf(row['max_clicks']));
  if (limit === null || !isOfExport) return whole;
  const left = countOf(textOf(row['clicks_left']));
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
