// What the demonstration of the front page derives from a typed address.

const MAX_LENGTH = 8192;

/** A slug of so many characters of an alphabet, as the service draws them. */
export function drawnSlug(alphabet, length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}

// A host without its scheme may have a port, and what it then begins with is a scheme to `URL`.
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;

/** Reads an address, with or without its scheme; null if it is none. */
export function readAddress(text) {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH || /\s/.test(trimmed)) return null;
  const url = URL.parse(SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`);
  const isPage = url !== null && /^https?:$/.test(url.protocol) && /[^.]\.[^.]/.test(url.hostname);
  return isPage ? url : null;
}

/** The host of an address as it was typed, which `URL` gives in punycode. */
export const hostOf = (text) => /^(?:https?:\/\/)?(?:[^/?#]*@)?([^/?#:]*)/i.exec(text.trim())[1].toLowerCase();

/** The words at the end of an address, as a title; '' if it has none. */
export function wordsOf({ pathname }) {
  const last =
    pathname
      .split('/')
      .map(plain)
      .findLast((part) => /\p{L}{3}/u.test(part)) ?? '';
  const words = last
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[-_+.]+/g, ' ')
    .trim()
    .slice(0, 60);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
