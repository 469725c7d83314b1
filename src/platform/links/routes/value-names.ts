import { lazy } from '../../../isolate/lazy.ts';
import { CONTINENTS, continentName, countryCodes, countryName } from '../../../text/countries.ts';

/** Values of conditions by the names that people know them by. What has no name here is typed as it is stored. */

// What visitors' browsers ask for most often.
const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-419 et eu fa fi fr fr-CA ga gl gu he hi hr hu hy id ' +
  'is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl pa pl pt pt-BR pt-PT ro ru si sk sl sq sr sv sw ta te ' +
  'th tr uk ur uz vi zh zh-Hans zh-Hant zu'
).split(' ');

const languageNames = lazy(
  () => new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', fallback: 'code' }),
);

interface Names {
  readonly values: () => readonly string[];
  readonly nameOf: (value: string) => string;
}

const NAMED: Readonly<Record<string, Names>> = {
  country: { values: countryCodes, nameOf: countryName },
  continent: { values: () => CONTINENTS, nameOf: (code) => continentName(code as (typeof CONTINENTS)[number]) },
  language: { values: () => LANGUAGES, nameOf: (code) => languageNames().of(code) ?? code },
};

/** The few values of other types. */
const FEW: Readonly<Record<string, readonly string[]>> = {
  device: ['mobile', 'tablet', 'desktop'],
  os: ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Chrome OS'],
  browser: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera'],
  visitor: ['human', 'bot', 'preview'],
};

/** By types, the values by their names in small letters, and the names by their values. */
const tables = lazy(
  () =>
    new Map(
      Object.entries(NAMED).map(([type, { values, nameOf: name }]) => [
        type,
        {
          byName: new Map(values().map((value) => [name(value).toLowerCase(), value])),
          byValue: new Map(values().map((value) => [value, name(value)])),
        },
      ]),
    ),
);

// Longer than each name.
const MAX_NAME = 60;

/** The value that a name stands for; other texts stay. */
export function valueOf(type: string, text: string): string {
  return (text.length > MAX_NAME ? undefined : tables().get(type)?.byName.get(text.toLowerCase())) ?? text;
}

/** The name of a value, or the value if it has none. */
export const nameOf = (type: string, value: string): string => tables().get(type)?.byValue.get(value) ?? value;

/** The names that the input of a type offers, in the order of the alphabet. */
export function offeredNames(type: string): readonly string[] {
  const named = tables().get(type);
  if (named) return [...named.byValue.values()].toSorted((a, b) => a.localeCompare(b, 'en'));
  return Object.hasOwn(FEW, type) ? FEW[type]! : [];
}
