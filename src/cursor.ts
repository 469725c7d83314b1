import { createHash } from 'node:crypto';
import * as z from 'zod';
import { AppError } from './errors.ts';

/** Where a list goes on: the sort key of the last row that was looked at. */
export type Position = readonly [at: number, id: string];

const cursor = z.tuple([z.string(), z.number(), z.string()]);

/**
 * Makes the opaque text by which a list goes on. It is bound to the filters it came with, as it would point elsewhere
 * under others.
 */
export function encodeCursor(filters: object, [at, id]: Position): string {
  return Buffer.from(JSON.stringify([hashOf(filters), at, id])).toString('base64url');
}

/** Reads a cursor that came with the same filters. Throws `invalid_cursor`. */
export function decodeCursor(filters: object, text: string): Position {
  const parsed = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (parsed.success && parsed.data[0] === hashOf(filters)) return [parsed.data[1], parsed.data[2]];
  throw new AppError(
    'invalid_cursor',
    'cursor belongs to another question, or to none: send it with the very filters it came with, or begin without one.',
  );
}

function hashOf(filters: object): string {
  const sorted = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 8);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
