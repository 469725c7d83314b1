import { parseDomainName } from '../../network/hosts.ts';
import { lazy } from '../../isolate/lazy.ts';
import { NO_SCHEMES, type Schemes } from '../../network/schemes.ts';
import { MAX_URL_CHARACTERS } from './web-url.ts';

const AUTHORITY = /^[^/?#\\\s]*/;
const PORT = /:\d+$/;
const ADDRESS = /^(?:localhost|(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:.]+\])$/i;

/**
 * A text without white space and invisible characters at its ends. Variation selectors and tags stay, since they are
 * part of the emoji before them. What is between is matched once, whatever its length.
 */
const visible = lazy(() => new RegExp(`${VISIBLE}(?:.*${VISIBLE})?`, 'sv'));
const VISIBLE = String.raw`[^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]--[\p{Variation_Selector}\u{e0020}-\u{e007f}]]`;

/**
 * A destination as it was typed, without white space and invisible characters around it, and with `https://` before it
 * if it begins with a host: `example.com/page`, `localhost:8080`.
 *
 * @param schemes the schemes that it may have beside http and https: one of them is no host, such as `com.example.app:80`
 */
export function withScheme(typed: string, schemes: Schemes = NO_SCHEMES): string {
  // Longer texts are refused as they are.
  if (typed.length > 2 * MAX_URL_CHARACTERS) return typed;
  const text = visible().exec(typed)?.[0] ?? '';
  const host = hostIn(text);
  if (hasOneOf(schemes, text)) return text;
  return ADDRESS.test(host) || parseDomainName(host) !== null ? `https://${text}` : text;
}

const hostIn = (text: string) => AUTHORITY.exec(text)?.[0].replace(PORT, '') ?? '';

/**
 * True if a typed text begins with what looks like a host, such as `example..com:8080`, though it may be none.
 *
 * @param schemes as those of `withScheme`
 */
export function isLikeHost(text: string, schemes: Schemes): boolean {
  if (hasOneOf(schemes, text)) return false;
  const host = hostIn(text);
  return /[.,]/.test(host) && !/[:@]/.test(host);
}

const SCHEME = /^([a-z][a-z\d+.-]*):/i;

/** The scheme of a typed URL, in lower case; null if it has none. */
export const schemeOf = (text: string): string | null => SCHEME.exec(text)?.[1]?.toLowerCase() ?? null;

function hasOneOf(schemes: Schemes, text: string): boolean {
  const scheme = schemeOf(text);
  return scheme !== null && schemes.has(scheme);
}
