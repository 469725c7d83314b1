import { AppError } from '../errors.ts';
import { readChunks, type BodyRules, refuseContentCoding, mediaTypeOf } from './body.ts';
import { MULTIPART } from './form.ts';
import { readFilePart } from './file-part.ts';

/** A file, read as a stream. */
interface IncomingFile<Kind> {
  readonly kind: Kind;
  /** The encoding that its `Content-Type` names, which in a form is that of its part; null if it names none. */
  readonly charset: string | null;
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
  const contentType = request.headers.get('Content-Type') ?? '';
  if (kind !== undefined) return { kind, charset: charsetIn(contentType), chunks };
  const part = await readFilePart(chunks, contentType);
  const kindOfPart = byType.get(part.mediaType) ?? kindOf(part.name);
  return { kind: kindOfPart, charset: charsetIn(part.contentType), chunks: part.chunks };
}

// In quotes or without, as the parameters of media types are (RFC 9110, section 5.6.6).
function charsetIn(contentType: string): string | null {
  const [, quoted, plain] = /;\s*charset=(?:"([^"]{1,40})"|([^\s;"]{1,40}))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}
