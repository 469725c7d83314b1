import { URLENCODED } from './body.ts';
import { readFormAs, singleTexts } from './form.ts';

// A password takes at most 1,536 bytes.
const MAX_BYTES = 8 * 1024;

/**
 * Reads the form of a small page for visitors, one text a field. Throws `unsupported_media_type`, `body_too_large`,
 * `malformed_body`, `repeated_field`.
 */
export function readVisitorForm(request: Request): Promise<Readonly<Record<string, string>>> {
  return readFormAs(request, { accepted: [URLENCODED], maxBytes: MAX_BYTES }, singleTexts);
}
