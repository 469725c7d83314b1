import { AppError } from '../../errors.ts';
import type { Destination } from '../../targets/destination.ts';
import { destinationsOf, hostsOf } from '../destinations/destinations.ts';
import type { NewContent } from '../fields/content.ts';
import { pathKeysOf, type PathKeys } from '../slugs/slug.ts';
import { foldedList } from '../tags/names.ts';
import type { FileRow, ImportedLink } from './import-row.ts';

/** A slug with its keys, for SQL. */
interface Claim extends PathKeys {
  readonly slug: string;
}

/** A row that is to be decided on, with all that is derived from it. */
export interface OpenRow {
  readonly index: number;
  /** The number of the row in its file. */
  readonly number: number;
  /** The host that the file names for it, if it does. */
  readonly host: string | null;
  readonly row: ImportedLink;
  readonly content: Pick<ImportedLink, keyof NewContent>;
  /** Its tags without case, as they are compared. */
  readonly foldedTags: string | null;
  /** All URLs that it can lead to, `url` first. */
  readonly destinations: readonly Destination[];
  /** Its slug and its aliases; none if it is identified by its content. */
  readonly claims: readonly Claim[];
  /** The part of the row by which its state is found. */
  readonly place: object;
  /** The row as the statements of an import take it, as JSON. Of its tags it has `foldedTags` alone, and no claims. */
  readonly item: string;
  readonly tries: number;
}

/** The parts of a row of a file that an import needs. */
export type GivenRow = Pick<FileRow, 'number' | 'content'> & Partial<Pick<FileRow, 'host'>>;

const MAX_ROWS_PER_TRIP = 250;
// A parameter may hold 2 MB, and a draft is somewhat longer than its row.
const MAX_BYTES_PER_TRIP = 1_000_000;

/**
 * The rows without errors, in one part for each round trip. They are opened as the parts are taken, since what is derived
 * from all rows of a file may need more memory than the file.
 */
export function* openParts(rows: readonly GivenRow[]): Generator<readonly OpenRow[], undefined> {
  let part: OpenRow[] = [];
  let bytes = 0;
  for (const [index, given] of rows.entries()) {
    if (given.content instanceof AppError) continue;
    const open = openRow(index, given, given.content);
    const size = Buffer.byteLength(open.item);
    if (part.length === MAX_ROWS_PER_TRIP || (part.length > 0 && bytes + size > MAX_BYTES_PER_TRIP)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(open);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function openRow(index: number, { number, host = null }: GivenRow, row: ImportedLink): OpenRow {
  const { slug, aliases, createdAt: _, faults: _faults, ...told } = row;
  const { customDomain, disabled, hasPassword, clicksLeft, newDisabled, newMaxClicks, ...content } = told;
  const foldedTags = row.tags === null ? null : foldedList(row.tags);
  const destinations = destinationsOf(row);
  const claims = slug === null ? [] : [slug, ...aliases].map(claimOf);
  const { externalId, forwardPath } = content;
  const targetHosts = hostsOf(destinations);
  const place = { customDomain, externalId, forwardPath, foldedTags, by_content: slug === null, targetHosts };
  const states = { disabled, hasPassword, clicksLeft, newDisabled, newMaxClicks };
  const item = JSON.stringify({ ...content, tags: undefined, ...place, ...states });
  return { index, number, host, row, content, foldedTags, destinations, claims, place, item, tries: 1 };
}

/** A slug as the statements take it. */
export function claimOf(slug: string): Claim {
  return { slug, ...pathKeysOf(slug) };
}
