import { AppError } from '../errors.ts';

/** Refuses a body in a content coding (RFC 9110, section 8.4), such as gzip. Throws `unsupported_media_type`. */
export function refuseContentCoding(request: Request): void {
  const coding = request.headers.get('Content-Encoding') ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding such as gzip.');
}
