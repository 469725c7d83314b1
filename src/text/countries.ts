import { lazy } from '../isolate/lazy.ts';

/** Countries and continents by their codes. */

// The codes of ISO 3166-1 alpha-2, and XK, by which Cloudflare and browsers name Kosovo. The continents are those of
// https://download.geonames.org/export/dump/countryInfo.txt.
const COUNTRIES = {
  AF: 'AOBFBIBJBWCDCFCGCICMCVDJDZEGEHERETGAGHGMGNGQGWKEKMLRLSLYMAMGMLMRMUMWMZNANENGRERWSCSDSHSLSNSOSSSTSZTDTGTNTZUGYTZAZMZW',
  AN: 'AQBVGSHMTF',
  AS: 'AEAFAMAZBDBHBNBTCCCNCXGEHKIDILINIOIQIRJOJPKGKHKPKRKWKZLALBLKMMMNMOMVMYNPOMPHPKPSQASASGSYTHTJTMTRTWUZVNYE',
  EU: 'ADALATAXBABEBGBYCHCYCZDEDKEEESFIFOFRGBGGGIGRHRHUIEIMISITJELILTLULVMCMDMEMKMTNLNOPLPTRORSRUSESISJSKSMUAVAXK',
  NA: 'AGAIAWBBBLBMBQBSBZCACRCUCWDMDOGDGLGPGTHNHTJMKNKYLCMFMQMSMXNIPAPMPRSVSXTCTTUSVCVGVI',
  OC: 'ASAUCKFJFMGUKIMHMPNCNFNRNUNZPFPGPNPWSBTKTLTOTVUMVUWFWS',
  SA: 'ARBOBRCLCOECFKGFGYPEPYSRUYVE',
} as const;

export type Continent = keyof typeof COUNTRIES;

const NAMES: Readonly<Record<Continent, string>> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};

export const CONTINENTS = Object.keys(COUNTRIES) as readonly Continent[];

const continentByCountry = lazy(
  () =>
    new Map(
      CONTINENTS.flatMap((continent) => (COUNTRIES[continent].match(/../g) ?? []).map((code) => [code, continent])),
    ),
);

/** The codes of all countries. */
export const countryCodes = (): readonly string[] => [...continentByCountry().keys()];

/** The code of a country that is given, regardless of case; null if it is none. */
export function countryOf(text: string): string | null {
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';
  return isCountry(code) ? code : null;
}

/** True if a code in capital letters is one of ISO 3166-1 alpha-2, or XK. */
export function isCountry(code: string): boolean {
  return continentByCountry().has(code);
}

/** The continent of a country; null if the code is not that of a country. */
export function continentOf(country: string): Continent | null {
  return continentByCountry().get(country) ?? null;
}

export function isContinent(code: string): code is Continent {
  return Object.hasOwn(COUNTRIES, code);
}

const regions = lazy(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }));

/** The English name of a country, from the platform's own tables, or the code if they have none. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions().of(code) ?? code) : code;
}

export function continentName(code: Continent): string {
  return NAMES[code];
}
