import { AppError } from '../errors.ts';
import { mediaTypeOf, readChunks, type BodyRules } from './body.ts';
import { refuseContentCoding } from './content-coding.ts';
import { MULTIPART } from './form.ts';
import { readFilePart } from './file-part.ts';

/** A file, read as a stream. */
export interface IncomingFile<Kind> {
  readonly kind: Kind;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Reads a file, which is the whole body or the only field of a multipart form, and returns its kind. Throws
 * `unsupported_media_type`, and what `readFilePart` throws; its chunks throw `body_too_large`, `malformed_body`, and
 * what the rules' `admit` throws.
 *
 * @param kinds by media type
 * @param kindOf the kind of a file in a form, by its name
 */
export async function readFile<Kind>(
  request: Request,
  kinds: Readonly<Record<string, Kind>>,
  kindOf: (name: string) => Kind,
  rules: BodyRules,
): Promise<IncomingFile<Kind>> {
  // An object has more names than its own.
  const byType = new Map(Object.entries(kinds));
  const mediaType = mediaTypeOf(request);
  const kind = byType.get(mediaType);
  if (kind === undefined && mediaType !== MULTIPART) {
    const types = Object.keys(kinds).join(' or ');
    throw new AppError('unsupported_media_type', `Send the file itself, as ${types}, or in a form, as ${MULTIPART}.`);
  }
  refuseContentCoding(request);
  const chunks = readChunks(request, rules);
  if (kind !== undefined) return { kind, chunks };
  const part = await readFilePart(chunks, request.headers.get('Content-Type') ?? '');
  return { kind: byType.get(part.mediaType) ?? kindOf(part.name), chunks: part.chunks };
}
