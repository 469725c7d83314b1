/** The texts that people type or paste where a URL or a host is expected. */

// Longer texts are refused as they are.
const MAX_CHARACTERS = 2048;

const WEB_URL = /^https?:\/\/([^/?#\\]*)/i;

/** The host of a URL that was typed in place of a host; any other text as it is. */
export function hostIn(typed: string): string {
  if (typed.length > MAX_CHARACTERS) return typed;
  const text = typed.trim();
  return WEB_URL.exec(text)?.[1] ?? text;
}

/** A short URL that was typed or pasted. */
interface TypedShortUrl {
  /** As `URL` gives it: in punycode, with the port if it has one. */
  readonly host: string;
  /** Without percent-encoding. */
  readonly slug: string;
}

// A longer host is not parsed as a URL, since the parser normalises it in quadratic time.
const MAX_CHARACTERS_OF_HOST = 1024;

/** Reads a short URL with or without its scheme, as it is sent or as people read it; null if it is none. */
export function readShortUrl(typed: string): TypedShortUrl | null {
  if (typed.length > MAX_CHARACTERS) return null;
  const [, authority = '', path = ''] = /^(?:https?:\/\/)?([^/?#\\\s]+)\/([^?#\\\s]+)/i.exec(typed.trim()) ?? [];
  if (authority === '' || authority.length > MAX_CHARACTERS_OF_HOST) return null;
  const host = URL.parse(`http://${authority}`)?.host;
  // Behind a slug, a plus asks where the link leads.
  const slug = decoded(path.replace(/[/+]$/, ''));
  return host === undefined || slug === null || slug === '' ? null : { host, slug };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
