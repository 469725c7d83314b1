import { lazy } from '../../isolate/lazy.ts';
import { MAX_PATH, MAX_UNITS_OF_PATH, slugOfText } from './slug-path.ts';

/**
 * The characters that text programs leave at an end of a URL: punctuation that ends a sentence, brackets, quotation
 * marks, marks of Markdown and chats, white space, and characters that cannot be seen.
 */
const added = lazy(() => new RegExp(ADDED, 'u'));
const ADDED = String.raw`^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u2026<>*_\x60|\\/]$`;
const EACH_HYPHEN = /[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]/g;

/** Parameters that are appended to a URL that should have a query before it, such as `&fbclid=x`. */
const PARAMETERS = /&(?:amp;)?[A-Za-z_][\w.~[\]-]*=.*$/s;

/**
 * The slug that remains of a requested path without what text programs add to a URL; null if the rest can be no slug of
 * the host, so that no store is read. `+` stays, which asks where a link leads.
 *
 * @param pathname percent-encoded
 * @param host '' for the service's own
 */
export function trimmedSlug(pathname: string, host: string): string | null {
  if (pathname.length > MAX_PATH) return null;
  const path = pathname.slice(1).replace(PARAMETERS, '');
  // An escaped slash does not separate segments.
  if (path.length > MAX_UNITS_OF_PATH || /%2f/i.test(path)) return null;
  return slugOfText(trimmed(path), host);
}

const isAdded = (character: string) => added().test(character);

function trimmed(path: string): string {
  const text = decoded(path).replace(PARAMETERS, '');
  const characters = Array.from(text);
  const end = characters.findLastIndex((each) => !isAdded(each)) + 1;
  // The paths that scanners try most often begin with a dot, which no text program adds.
  const start = text.startsWith('.')
    ? 0
    : Math.max(
        0,
        characters.findIndex((each) => !isAdded(each)),
      );
  return characters
    .slice(start, end)
    .join('')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(EACH_HYPHEN, '-');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
