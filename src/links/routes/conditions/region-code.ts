import { countryOf } from '../../../text/countries.ts';

/** Finds the usual spelling of the code of a region (ISO 3166-2), whose country must exist; null if it is none. */
export function findRegion(text: string): string | null {
  const [, country = '', subdivision = ''] = /^([a-z]{2})-([a-z\d]{1,3})$/i.exec(text) ?? [];
  const code = countryOf(country);
  return code === null ? null : `${code}-${subdivision.toUpperCase()}`;
}
