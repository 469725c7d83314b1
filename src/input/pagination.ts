import * as z from 'zod';
import { contentHash } from '../secrets/content-hash.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** The query parameters of every list. */
export const pageFields = lazy(() => ({
  limit: z
    .string()
    .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT, {
      error: `must be a whole number from 1 to ${MAX_LIMIT}`,
    })
    .transform(Number)
    .default(DEFAULT_LIMIT)
    .meta({
      description: `The maximum number of results; ${DEFAULT_LIMIT} if left out`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      brief: `1 to ${MAX_LIMIT}`,
    }),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'The cursor from the previous page', brief: 'From the page before' }),
}));

/** The start of the next page of a list: the sort key of the last row of a page. */
export type Position = readonly [at: number, id: string];

/** The requested part of a list. */
export interface Page {
  readonly limit: number;
  /** The last row before this page. The first page of a list that starts with the newest entry is after the end of time. */
  readonly after: Position;
  /** The filters that the list's cursors are bound to. */
  readonly filters: object;
}

/** The position before the newest entry of a list. */
export const END_OF_TIME: Position = [Number.MAX_SAFE_INTEGER, ''];

/** Reads the requested page of a list. Throws `invalid_cursor`. */
export function readPage(filters: object, fields: { limit: number; cursor?: string | undefined }): Page {
  const after = fields.cursor === undefined ? END_OF_TIME : decodeCursor(filters, fields.cursor);
  return { limit: fields.limit, after, filters };
}

/** The number of rows that are read for a page: one more says whether there is a next page. */
export const rowsOfPage = (limit: number): number => limit + 1;

/** The rows of a page. */
export interface Cut<Row> {
  readonly rows: readonly Row[];
  /** The last row before the next page, if there is one. */
  readonly last: Row | undefined;
}

/** Cuts a page from its rows; there is one row more if there is a next page. */
export function cutPage<Row>(limit: number, rows: readonly Row[]): Cut<Row> {
  return { rows: rows.slice(0, limit), last: rows.length > limit ? rows[limit - 1] : undefined };
}

const cursor = lazy(() => z.tuple([z.string(), z.number(), z.string()]));

/**
 * Writes the opaque text by which a list continues. It is bound to the filters of the list, since under others it would
 * mean another place.
 */
export function encodeCursor(filters: object, [at, id]: Position): string {
  return Buffer.from(JSON.stringify([hashOf(filters), at, id])).toString('base64url');
}

/** Reads a cursor of a list with the same filters. Throws `invalid_cursor`. */
function decodeCursor(filters: object, text: string): Position {
  const parsed = cursor().safeParse(parseOrNull(Buffer.from(text, 'base64url').toString()));
  if (parsed.success && parsed.data[0] === hashOf(filters)) return [parsed.data[1], parsed.data[2]];
  throw new AppError(
    'invalid_cursor',
    'cursor is not valid for this list: send it with the same filters as before, or start without a cursor.',
  );
}

const hashOf = (filters: object) => contentHash(filters).slice(0, 8);

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
