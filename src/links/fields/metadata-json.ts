import * as z from 'zod';
import { hasExactNumbers, isShallow } from '../../text/json.ts';
import { lazy } from '../../isolate/lazy.ts';
import { fault } from '../../input/validation.ts';

const MAX_METADATA_BYTES = 4096;
// Far below the depth at which V8's JSON functions overflow the stack.
const MAX_METADATA_DEPTH = 100;

/** Metadata as a JSON text, kept byte for byte. */
export const metadata = lazy(() =>
  z
    .string()
    // A character takes at least one byte, so that a long text is refused without encoding it.
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
    }),
);

/** Metadata in a JSON body: a JSON text as above, or a JSON value, which is kept as its text. */
export const metadataOrValue = lazy(() =>
  z
    .unknown()
    .refine((value) => sizeOf(value) <= MAX_METADATA_BYTES, tooLong())
    .refine((value) => isShallow(value, MAX_METADATA_DEPTH), {
      error: `must be nested at most ${MAX_METADATA_DEPTH} levels deep`,
      abort: true,
    })
    .refine(hasExactNumbers, {
      error: 'has a number that would lose digits: send the number as a string, or the metadata as a JSON text',
      abort: true,
    })
    .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .pipe(metadata())
    .meta({
      description:
        `Metadata: a JSON text, kept byte for byte, or an object, an array, a number or a boolean, kept as its text; ` +
        `of at most ${MAX_METADATA_BYTES} bytes`,
      brief: 'Any JSON',
      example: { team: 'web' },
    }),
);

function tooLong() {
  return { error: `must be at most ${MAX_METADATA_BYTES} bytes long`, ...fault('too_long'), abort: true };
}

/** A lower bound for the bytes of a value's text, counted only up to the limit. */
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
