import * as z from 'zod';
import { isOwnTarget, type Site } from '../../network/hosts.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { fault, parseFields, type Fields } from '../../input/validation.ts';
import { IN_THE_PAST } from '../../input/schemas.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import type { Destination } from '../../targets/destination.ts';
import { destinationsOf, refuseTypingErrors } from '../destinations/destinations.ts';
import {
  comparable,
  COMPARED_NAMES,
  contentOfInput,
  hasExtras,
  type NewContent,
  type StoredName,
} from '../fields/content.ts';
import { optionalShape } from '../fields/shapes.ts';
import { FIELD_NAMES, linkFields } from '../fields/table.ts';
import { unfit } from '../input.ts';
import type { ManagedLink } from '../managed-link.ts';
import { refuseInvalidCombinations, refuseNewRules } from '../fields/combinations.ts';
import { faultOfNewSlug } from '../slugs/new-slug.ts';

/** A row of a file: a link as it should become, valid in itself. Instants are milliseconds since the epoch. */
export interface ImportedLink extends NewContent, Pick<ManagedLink, 'customDomain' | 'aliases' | 'disabled'> {
  /** Null if the service chooses it. `secId` is null if an equal link may have any. */
  readonly slug: string | null;
  /** When the link was created where it comes from; null for now. */
  readonly createdAt: number | null;
  /** True if the exported link had a password. */
  readonly hasPassword: boolean;
  /** The number of clicks of `maxClicks` that are left, which become the limit of a new link; null for all. */
  readonly clicksLeft: number | null;
  /**
   * True if a new link is disabled: also if it had a password, which a file does not have, all clicks of its limit are
   * used, or nothing says how many.
   */
  readonly newDisabled: boolean;
  /** The limit of a new link: the clicks that are left. */
  readonly newMaxClicks: number | null;
  /** Why such a link cannot be created; an equal one may exist already. */
  readonly faults: readonly AppError[];
}

/** A row of a file: its link, or its error. */
export interface FileRow {
  /** As `Line.number`. */
  readonly number: number;
  readonly content: ImportedLink | AppError;
  /** The host that the file names for it, before the caller's choices; null if it names none. */
  readonly host: string | null;
  /** The notes on what is not kept of it besides its clicks, for people. */
  readonly notes: readonly string[];
  /** True if it had clicks, whose total alone is kept, as is so for most rows of another service. */
  readonly hasOnlyTotal: boolean;
}

/** The facts in a file about a link besides its fields. */
export interface Former {
  /** When it was created, in milliseconds; null for now. */
  readonly createdAt: number | null;
  /** As that of `ImportedLink`. */
  readonly clicksLeft: number | null;
  /** True if a new link is disabled, since nothing says how many clicks are left. */
  readonly isHeldBack: boolean;
  /** True if the row is one of an export of this service, whose rules were accepted when they were written. */
  readonly isOfExport: boolean;
}

/** A row whose link is not created. */
export interface SkippedRow {
  readonly number: number;
  readonly reason: string;
}

/** The hosts that a file names, each with how many rows name it, the most first. */
export function hostsOfRows(rows: readonly FileRow[]): readonly { readonly host: string; readonly rows: number }[] {
  const counts = new Map<string, number>();
  for (const { host } of rows) if (host !== null) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts].map(([host, count]) => ({ host, rows: count })).toSorted((a, b) => b.rows - a.rows);
}

/** The fault of aliases that visitors could not distinguish. */
export const SAME_TWICE = 'must contain each slug once, and not the slug of the link';

const NO_PASSWORD = 'cannot be imported: leave it out, and set the password of the created link';

/** The fields of a row: those of `POST /v1/links` by the rules of JSON, and those that an edit can set. */
const rowFields = lazy(() =>
  z
    .strictObject({
      // Faults are listed in this order: the address first, which identifies a row.
      slug: linkFields.slug.schemas().row.optional(),
      aliases: linkFields.aliases.schemas().row.default([]),
      url: linkFields.url.schemas().row,
      ...optionalShape('row', ['slug', 'aliases', 'url', 'disabled']),
      disabled: linkFields.disabled.schemas().row.default(false),
      has_password: z
        .custom<boolean>((value) => typeof value === 'boolean', {
          error: 'must be true or false',
          ...fault('malformed_row'),
        })
        .default(false),
      password: z
        .unknown()
        .refine((password) => password === undefined, { error: NO_PASSWORD })
        .optional(),
    })
    .refine(({ slug, aliases }) => slug != null || aliases.length === 0, {
      error: 'is required with aliases',
      path: ['slug'],
      ...fault('missing_field'),
    })
    .refine(({ slug, aliases }) => new Set([slug ?? '', ...aliases]).size > aliases.length, {
      error: SAME_TWICE,
      path: ['aliases'],
    }),
);

/** Columns of an export, and fields of the list of links, that an import ignores. */
const IGNORED: ReadonlySet<string> = new Set([
  'id',
  'short_url',
  'client_id',
  'state',
  'waits_for',
  'unhealthy',
  'created_at',
  'updated_at',
  'clicks_left',
  'clicks',
  'humans',
  'last_click_at',
]);

type RowName = keyof z.input<ReturnType<typeof rowFields>>;
const FIELDS: readonly RowName[] = [...FIELD_NAMES, 'has_password'];

/** The columns of this service's own export that become a field of the link. */
export const KEPT_COLUMNS: ReadonlySet<string> = new Set([...FIELDS, 'created_at']);

/** The columns that a file in the format of this service may have. */
export const OWN_COLUMNS: ReadonlySet<string> = new Set([...FIELDS, ...IGNORED]);

/**
 * The number of errors that are listed for one of several links, since thousands of links may have thousands of unknown
 * fields each.
 */
export const MAX_FAULTS_OF_ONE = 16;

/** Reads a row of a file. Returns its error, so that the rows after a bad one are read too. */
export type RowParser = (fields: Fields, former: Former) => ImportedLink | AppError;

export function rowParser(site: Site): RowParser {
  const schema = rowFields();
  return (fields, former) => {
    const taken = Object.entries(fields).filter(([name, value]) => value !== null && !IGNORED.has(name));
    try {
      return toImported(parseFields(schema, Object.fromEntries(taken), site), site, former);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return new AppError(error.code, error.message, { faults: error.faults.slice(0, MAX_FAULTS_OF_ONE) });
    }
  };
}

function toImported(row: z.output<ReturnType<typeof rowFields>>, site: Site, former: Former): ImportedLink {
  const content = contentOfInput(row);
  if (hasExtras(content)) refuseInvalidCombinations(content, row.custom_domain ?? null);
  const destinations = destinationsOf(content);
  const expiresAt = row.expires_at ?? null;
  const isOver = expiresAt !== null && expiresAt <= Date.now();
  const { clicksLeft } = former;
  const isHeldBack = row.has_password || clicksLeft === 0 || former.isHeldBack;
  return {
    slug: row.slug ?? null,
    aliases: row.aliases.filter((alias) => alias !== null),
    customDomain: row.custom_domain ?? null,
    ...content,
    createdAt: former.createdAt,
    clicksLeft,
    disabled: row.disabled,
    hasPassword: row.has_password,
    newDisabled: row.disabled || isHeldBack,
    newMaxClicks: clicksLeft || content.maxClicks,
    faults: [
      ...faultsOfSlugs(row),
      ...destinations.filter(({ url }) => isOwnTarget(url, site)).map(({ field }) => ownHost(field)),
      ...(former.isOfExport ? [] : faultsOfNew(content, destinations, site)),
      ...(isOver ? [new AppError('invalid_expires_at', `expires_at ${IN_THE_PAST}.`)] : []),
    ],
  };
}

// What is refused only where it is newly written.
function faultsOfNew(content: NewContent, destinations: readonly Destination[], { schemes }: Site): AppError[] {
  const refuseRules = content.rules === null ? [] : [() => refuseNewRules(content)];
  return [...refuseRules, () => refuseTypingErrors(destinations, schemes)].flatMap((refuse) => {
    try {
      refuse();
      return [];
    } catch (error) {
      if (error instanceof AppError) return [error];
      throw error;
    }
  });
}

function faultsOfSlugs({ slug, aliases, custom_domain }: z.output<ReturnType<typeof rowFields>>): AppError[] {
  return [slug, ...aliases].flatMap((text, turn) => {
    const complaint = text == null ? null : faultOfNewSlug(text, custom_domain ?? null);
    return complaint === null ? [] : [unfit(turn === 0 ? 'slug' : `aliases.${turn - 1}`, complaint)];
  });
}

type Content = NewContent & Pick<ImportedLink, 'disabled' | 'aliases' | 'hasPassword'>;

/**
 * The fields, by public name, in which a link differs from a row. A link equals the row also as it was created from that
 * row, or from one in an earlier export, when more clicks of its limit were left. `IS_EQUAL` in SQL is the same.
 */
export function differencesOf(row: ImportedLink, link: Content): string[] {
  const isAsCreated = !link.hasPassword && link.disabled === row.newDisabled;
  return Object.entries({
    ...Object.fromEntries(COMPARED_NAMES.map((name) => [name, isSame(row, link, name)])),
    max_clicks: isSameLimit(row, link),
    has_password: isAsCreated || row.hasPassword === link.hasPassword,
    disabled: isAsCreated || row.disabled === link.disabled || row.clicksLeft === 0,
    aliases: row.aliases.toSorted().join(' ') === link.aliases.toSorted().join(' '),
  })
    .filter(([, isEqual]) => !isEqual)
    .map(([name]) => name);
}

// A link that was created without a secondary id got a generated one.
function isSame(row: ImportedLink, link: Content, name: StoredName): boolean {
  return comparable(name, row) === comparable(name, link) || (name === 'sec_id' && row.secId === null);
}

function isSameLimit({ clicksLeft, maxClicks }: ImportedLink, link: Content): boolean {
  if (clicksLeft === null || maxClicks === null || link.maxClicks === null) return maxClicks === link.maxClicks;
  return link.maxClicks >= clicksLeft && link.maxClicks <= maxClicks;
}
