import { isCountry } from '../../../text/countries.ts';

/** The range of all languages (RFC 4647, section 2.1). */
export const ANY = '*';

const RANGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/;
const COUNTRY = /^[a-z]{2,3}(?:-[a-z]{3})*(?:-[a-z]{4})?-([a-z]{2})(?=-|$)/;

/**
 * Finds the usual spelling of a language range; null if it is none. No browser sends a tag that is malformed, or one such as
 * en-UK: its country must exist.
 */
export function findRange(text: string): string | null {
  const small = text.toLowerCase();
  if (small === ANY) return ANY;
  const [, country] = COUNTRY.exec(small) ?? [];
  const isRange = RANGE.test(small) && (country === undefined || isCountry(country.toUpperCase()));
  return isRange && isTag(small) ? withCapitals(small) : null;
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

// RFC 5646, section 2.1.1, as far as languages, scripts and countries go.
function withCapitals(small: string): string {
  const [language = '', ...rest] = small.split('-');
  const end = rest.findIndex((subtag) => subtag.length === 1);
  const spelled = rest.map((subtag, index) => {
    if (end !== -1 && index > end) return subtag;
    if (/^[a-z]{2}$/.test(subtag)) return subtag.toUpperCase();
    return /^[a-z]{4}$/.test(subtag) ? subtag.charAt(0).toUpperCase() + subtag.slice(1) : subtag;
  });
  return [language, ...spelled].join('-');
}
