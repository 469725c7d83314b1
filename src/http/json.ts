import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Fields } from '../validation.ts';
import { mediaTypeOf, readBytes } from './body.ts';

/** The media type of JSON (RFC 8259). */
export const JSON_TYPE = 'application/json';

const MAX_JSON_BYTES = 64 * 1024;

/** Whether a body says that it is JSON. */
export function isJson(request: Request): boolean {
  return mediaTypeOf(request) === JSON_TYPE;
}

/** Reads a JSON object. Throws `unsupported_media_type`, `body_too_large`, `malformed_body`. */
export async function readJson(request: Request, maxBytes = MAX_JSON_BYTES): Promise<Fields> {
  if (!isJson(request)) throw new AppError('unsupported_media_type', `Send the fields as ${JSON_TYPE}.`);
  const value = parseBytes(await readBytes(request, maxBytes));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new AppError('malformed_body', 'The body is JSON, but not an object. Send {"field": "value"}.');
}

function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new AppError('malformed_body', 'The body is not valid JSON in UTF-8.', { cause });
  }
}
