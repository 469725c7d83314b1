/** A form without files. */
export const URLENCODED = 'application/x-www-form-urlencoded';

/** The media type of a body, in lower case and without parameters; '' if there is none. */
export function mediaTypeOf(request: Request): string {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
