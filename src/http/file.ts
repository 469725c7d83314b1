import { AppError } from '../errors.ts';
import { mediaTypeOf, readBytes } from './body.ts';

/**
 * Reads a file that is the whole body, and says which of the kinds it is. Throws `unsupported_media_type`,
 * `body_too_large`, `malformed_body`.
 *
 * @param kinds by media type
 */
export async function readFile<Kind>(
  request: Request,
  kinds: Readonly<Record<string, Kind>>,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly kind: Kind }> {
  const mediaType = mediaTypeOf(request);
  const kind = Object.hasOwn(kinds, mediaType) ? kinds[mediaType] : undefined;
  if (kind === undefined) {
    throw new AppError('unsupported_media_type', `Send the file itself, as ${Object.keys(kinds).join(' or ')}.`);
  }
  if (!/^(identity)?$/i.test(request.headers.get('Content-Encoding') ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the file as it is, without a Content-Encoding.');
  }
  return { bytes: await readBytes(request, maxBytes), kind };
}
