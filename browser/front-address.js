// What the demonstration of the front page derives from a typed address.

const MAX_LENGTH = 8192;

/** A slug of so many characters of an alphabet, as the service draws them. */
export function drawnSlug(alphabet, length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Reads an address, with or without its scheme; null if it is none. */
export function readAddress(text) {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH || /\s/.test(trimmed)) return null;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const isPage = url !== null && /^https?:$/.test(url.protocol) && /[^.]\.[^.]/.test(url.hostname);
  return isPage ? url : null;
}

/** The words at the end of an address, as a title; else its host. */
export function wordsOf({ pathname, hostname }) {
  const last = pathname.split('/').findLast((part) => /[a-z]{3}/i.test(part)) ?? '';
  const words = plain(last)
    .replace(/\.\w{1,5}$/, '')
    .replaceAll(/[-_+.]+/g, ' ')
    .trim()
    .slice(0, 60);
  return words === '' ? hostname : words.charAt(0).toUpperCase() + words.slice(1);
}

function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
