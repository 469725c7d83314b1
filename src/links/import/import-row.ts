import * as z from 'zod';
import { isOwnTarget, type Site } from '../../hosts.ts';
import { AppError } from '../../errors.ts';
import { fault, IN_THE_PAST, instant, parseFields, type Fields } from '../../validation.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import { newLinkJsonFields, storedUrl, unfit } from '../input.ts';
import { MAX_ALIASES, type ManagedLink } from '../managed.ts';
import { faultOfNewSlug } from '../slug.ts';

/** A row of a file: a link as it is to be, valid in itself. Instants are milliseconds since the epoch. */
export interface ImportedLink extends Pick<
  ManagedLink,
  'customDomain' | 'url' | 'campaignName' | 'metadata' | 'expiresAt' | 'aliases' | 'disabled'
> {
  /** Null where the service is to choose it. */
  readonly slug: string | null;
  /** Null where the service is to make it, and where any will do for an equal one. */
  readonly secId: string | null;
  /** Why no such link can be made, though there may be one already. */
  readonly faults: readonly AppError[];
}

/** A row of a file: its link, or its error. */
export interface FileRow {
  /** As `Line.number`. */
  readonly number: number;
  readonly content: ImportedLink | AppError;
}

const { slug, custom_domain, sec_id, campaign_name, metadata } = newLinkJsonFields.shape;

/** The complaint about aliases that visitors could not tell apart. */
export const SAME_TWICE = 'must name each slug once, and not that of the link';

/** The fields of a row: those of `POST /v1/links` by the rules of JSON, and those that an edit can set. */
const rowFields = z
  .strictObject({
    slug,
    aliases: z.array(slug.unwrap()).max(MAX_ALIASES, `must be at most ${MAX_ALIASES} slugs`).default([]),
    url: storedUrl,
    custom_domain,
    sec_id,
    campaign_name,
    metadata,
    expires_at: instant.optional(),
    disabled: z.boolean().default(false),
  })
  .refine(({ slug, aliases }) => slug != null || aliases.length === 0, {
    error: 'is required beside aliases',
    path: ['slug'],
    ...fault('missing_field'),
  })
  .refine(({ slug, aliases }) => new Set([slug ?? '', ...aliases]).size > aliases.length, {
    error: SAME_TWICE,
    path: ['aliases'],
  });

/** What an export tells of a link and an import does not take. */
const IGNORED: ReadonlySet<string> = new Set([
  'id',
  'short_url',
  'client_id',
  'state',
  'created_at',
  'updated_at',
  'clicks',
]);

/** Whether a file may have a column of this name. */
export function isColumn(name: string): boolean {
  return Object.hasOwn(rowFields.shape, name) || IGNORED.has(name);
}

/** How many faults of one of several links are listed: thousands may have thousands of unknown fields each. */
export const MAX_FAULTS_OF_ONE = 16;

/** Reads a row of a file. Returns its error, so that the rows after a bad one are read too. */
export function parseRow(fields: Fields, site: Site): ImportedLink | AppError {
  const taken = Object.entries(fields).filter(([name, value]) => value !== null && !IGNORED.has(name));
  try {
    return toImported(parseFields(rowFields, Object.fromEntries(taken)), site);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new AppError(error.code, error.message, { faults: error.faults.slice(0, MAX_FAULTS_OF_ONE) });
  }
}

function toImported(row: z.output<typeof rowFields>, site: Site): ImportedLink {
  const expiresAt = row.expires_at ?? null;
  const isOver = expiresAt !== null && expiresAt <= Date.now();
  return {
    slug: row.slug ?? null,
    aliases: row.aliases.filter((alias) => alias !== null),
    url: row.url.href,
    customDomain: row.custom_domain ?? null,
    secId: row.sec_id ?? null,
    campaignName: row.campaign_name ?? null,
    metadata: row.metadata ?? null,
    expiresAt,
    disabled: row.disabled,
    faults: [
      ...faultsOfSlugs(row),
      ...(isOwnTarget(row.url, site) ? [ownHost()] : []),
      ...(isOver ? [new AppError('invalid_expires_at', `expires_at ${IN_THE_PAST}.`)] : []),
    ],
  };
}

function faultsOfSlugs({ slug, aliases, custom_domain }: z.output<typeof rowFields>): AppError[] {
  return [slug, ...aliases].flatMap((text, turn) => {
    const complaint = text == null ? null : faultOfNewSlug(text, custom_domain ?? null);
    return complaint === null ? [] : [unfit(turn === 0 ? 'slug' : `aliases.${turn - 1}`, complaint)];
  });
}

type Content = Omit<ImportedLink, 'slug' | 'faults' | 'customDomain'>;

/** The fields, by the names that callers know, in which a link is not what a row says. */
export function differencesOf(row: Content, link: Content): string[] {
  return Object.entries({
    url: row.url === link.url,
    // A link without one was given one.
    sec_id: row.secId === null || row.secId === link.secId,
    campaign_name: row.campaignName === link.campaignName,
    metadata: row.metadata === link.metadata,
    expires_at: row.expiresAt === link.expiresAt,
    disabled: row.disabled === link.disabled,
    aliases: row.aliases.toSorted().join(' ') === link.aliases.toSorted().join(' '),
  })
    .filter(([, isEqual]) => !isEqual)
    .map(([name]) => name);
}
