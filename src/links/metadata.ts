import * as z from 'zod';
import { fault } from '../validation.ts';

const MAX_METADATA_BYTES = 4096;
// Far below the depth at which V8's own functions run out of stack.
const MAX_METADATA_DEPTH = 100;

/** Metadata as a JSON text, kept byte for byte. */
export const metadata = z
  .string()
  // No character is shorter than a byte: a longer text need not be encoded to be refused.
  .refine(
    (text) => text.length <= MAX_METADATA_BYTES && new TextEncoder().encode(text).length <= MAX_METADATA_BYTES,
    tooLong(),
  )
  .refine(isJson, { error: 'must be a JSON text, such as {"team":"web"}' })
  .meta({
    description: `Metadata given as a JSON text, of at most ${MAX_METADATA_BYTES} bytes`,
    example: '{"team":"web"}',
    maxLength: MAX_METADATA_BYTES,
    contentMediaType: 'application/json',
  });

/** The same in a body of JSON, where it may be the value itself; that is kept as its text. A string is a JSON text still. */
export const metadataOrValue = z
  .unknown()
  .refine((value) => sizeOf(value) <= MAX_METADATA_BYTES, tooLong())
  .refine((value) => isShallow(value, MAX_METADATA_DEPTH), {
    error: `must be nested at most ${MAX_METADATA_DEPTH} levels deep`,
    abort: true,
  })
  .refine(keepsItsNumbers, {
    error: 'holds a number that would lose digits: send it as a text, or all metadata as JSON text',
    abort: true,
  })
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .pipe(metadata)
  .meta({
    description:
      `Metadata: a JSON text, kept byte for byte, or an object, an array, a number or a boolean, kept as its text; ` +
      `of at most ${MAX_METADATA_BYTES} bytes`,
    example: { team: 'web' },
  });

function tooLong() {
  return { error: `must be at most ${MAX_METADATA_BYTES} bytes long`, ...fault('too_long'), abort: true };
}

/** The least bytes that a value's text can have, counted no further than the bound. */
function sizeOf(value: unknown): number {
  let bytes = 0;
  for (const open = [value]; open.length > 0 && bytes <= MAX_METADATA_BYTES;) {
    const next = open.pop();
    if (typeof next === 'string') bytes += next.length;
    else if (typeof next === 'object' && next !== null) {
      const values = Object.values(next);
      bytes += values.length * 2;
      if (bytes <= MAX_METADATA_BYTES) open.push(...values);
    }
  }
  return bytes;
}

// Only of what is small: see above. A level more is a step more into the stack.
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

// JSON's numbers have any length, and those of JavaScript 53 bits.
function keepsItsNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(keepsItsNumbers);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
