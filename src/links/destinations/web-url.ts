import { isForbiddenScheme } from '../../network/schemes.ts';

/** The most characters of a destination, as it is typed and in the form of the service. */
export const MAX_URL_CHARACTERS = 8192;

/** The form of most destinations as they are typed, and of all that are stored: with its scheme, in ASCII. */
export const WEB_URL = /^https?:\/\/[!-~]+$/;

const OTHER_URL = /^(?!https?:)([a-z][a-z\d+.-]*):[!-~]+$/;

/** True if a value from KV can be a destination: `isWebUrl`, or a URL with a scheme that can be allowed. */
export function isDestination(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, scheme] = OTHER_URL.exec(value) ?? [];
  return scheme === undefined ? isWebUrl(value) : !isForbiddenScheme(scheme) && URL.canParse(value);
}

/** True if a destination is a URL of the web, to which a visit can add a query or a path. */
export const isOnWeb = (destination: string): boolean => /^https?:/.test(destination);

/** True if a value from KV can be a URL of the web: a damaged one must not become a broken Location header. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && WEB_URL.test(value) && URL.canParse(value);
}
