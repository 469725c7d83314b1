/** The most characters of a target as it is sent. */
export const MAX_URL_CHARACTERS = 2048;
/** The most characters of a target in the form of the service. */
export const MAX_HREF_CHARACTERS = 8192;

const WEB_URL = /^https?:\/\/[!-~]+$/;

/** True if a value from KV can be a destination: a damaged one must not become a broken Location header. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && WEB_URL.test(value) && URL.canParse(value);
}
