import { AppError } from '../errors.ts';
import { parseJson } from '../text/json.ts';
import type { Fields } from '../input/validation.ts';
import { readBytes, type BodyRules, refuseContentCoding, mediaTypeOf } from './body.ts';
import { JsonBounds, type JsonRules } from './json-bounds.ts';

/** The media type of JSON (RFC 8259). */
export const JSON_TYPE = 'application/json';

const MAX_JSON_BYTES = 64 * 1024;

/** True if the body's media type is JSON. */
export const isJson = (request: Request): boolean => mediaTypeOf(request) === JSON_TYPE;

/**
 * Reads a JSON object. Throws `unsupported_media_type`, `body_too_large`, `malformed_body`, and what the rules' functions
 * throw.
 */
export async function readJson(
  request: Request,
  { bounds, ...rules }: BodyRules & { readonly bounds?: JsonRules } = { maxBytes: MAX_JSON_BYTES },
): Promise<Fields> {
  if (!isJson(request)) throw new AppError('unsupported_media_type', `Send the fields as ${JSON_TYPE}.`);
  refuseContentCoding(request);
  const inspect = bounds && inspectorOf(bounds);
  const value = parseBytes(await readBytes(request, { ...rules, ...(inspect && { inspect }) }));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new AppError('malformed_body', 'The body is JSON, but not an object. Send {"field": "value"}.');
}

function inspectorOf(rules: JsonRules): (piece: Uint8Array) => void {
  const bounds = new JsonBounds(rules);
  return (piece) => bounds.read(piece);
}

function parseBytes(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new AppError('malformed_body', 'The body is not valid JSON in UTF-8.', { cause });
  }
}
