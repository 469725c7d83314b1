import { perLanguage } from '../../../languages/per-language.ts';
import { CONTINENTS, countryCodes, countryName, type Continent } from '../../../text/countries.ts';
import type { PageWords, PlainKey } from '../../words.tsx';

/** Values of conditions by the names that people know them by. What has no name here is typed as it is stored. */

// What visitors' browsers ask for most often.
const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-419 et eu fa fi fr fr-CA ga gl gu he hi hr hu hy id ' +
  'is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl pa pl pt pt-BR pt-PT ro ru si sk sl sq sr sv sw ta te ' +
  'th tr uk ur uz vi zh zh-Hans zh-Hant zu'
).split(' ');

const CONTINENT_NAMES: Readonly<Record<Continent, PlainKey>> = {
  AF: 'routes.africa',
  AN: 'routes.antarctica',
  AS: 'routes.asia',
  EU: 'routes.europe',
  NA: 'routes.northAmerica',
  OC: 'routes.oceania',
  SA: 'routes.southAmerica',
};

const DEVICES: Readonly<Record<string, PlainKey>> = {
  mobile: 'routes.mobile',
  tablet: 'routes.tablet',
  desktop: 'routes.desktop',
};

const VISITORS: Readonly<Record<string, PlainKey>> = {
  human: 'routes.human',
  bot: 'routes.bot',
  preview: 'routes.previewVisitor',
};

interface Names {
  readonly values: () => readonly string[];
  readonly nameIn: (words: PageWords) => (value: string) => string;
  /** True if the names are offered in the order of the alphabet. */
  readonly isSorted: boolean;
}

const NAMED: Readonly<Record<string, Names>> = {
  country: { values: countryCodes, nameIn: countryNameIn, isSorted: true },
  continent: { ...fromTexts(CONTINENT_NAMES), values: () => CONTINENTS, isSorted: true },
  language: { values: () => LANGUAGES, nameIn: languageNameIn, isSorted: true },
  device: fromTexts(DEVICES),
  visitor: fromTexts(VISITORS),
};

function fromTexts(keys: Readonly<Record<string, PlainKey>>): Names {
  const nameIn =
    ({ text }: PageWords) =>
    (value: string) =>
      Object.hasOwn(keys, value) ? text(keys[value]!) : value;
  return { values: () => Object.keys(keys), nameIn, isSorted: false };
}

/** The few values of other types. */
const FEW: Readonly<Record<string, readonly string[]>> = {
  os: ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Chrome OS'],
  browser: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera'],
};

const namesOf = (type: 'region' | 'language') =>
  perLanguage((language) => new Intl.DisplayNames(language, { type, languageDisplay: 'standard', fallback: 'code' }));
const regionsIn = namesOf('region');
const languagesIn = namesOf('language');

function countryNameIn({ language }: PageWords): (code: string) => string {
  if (language === 'en') return countryName;
  return (code) => (/^[A-Z]{2}$/.test(code) ? (regionsIn(language).of(code) ?? code) : code);
}

// The platform refuses ranges with extensions and subtags of private use.
function languageNameIn({ language }: PageWords): (range: string) => string {
  return (range) => {
    try {
      return languagesIn(language).of(range) ?? range;
    } catch {
      return range;
    }
  };
}

/** The name of any value of a type, or the value if it has none. */
export const anyNameOf = (words: PageWords, type: string, value: string): string =>
  namedOf(type)?.nameIn(words)(value) ?? value;

const namedOf = (type: string): Names | undefined => (Object.hasOwn(NAMED, type) ? NAMED[type] : undefined);

/** The values of a type by their names in small letters, and the names by their values. */
interface Table {
  readonly byName: ReadonlyMap<string, string>;
  readonly byValue: ReadonlyMap<string, string>;
}

/** The tables of a language by type. */
const tablesIn = perLanguage((_language) => new Map<string, Table>());

function tableOf(words: PageWords, type: string): Table | undefined {
  const named = namedOf(type);
  if (named === undefined) return undefined;
  const tables = tablesIn(words.language);
  const known = tables.get(type) ?? newTable(named.values(), named.nameIn(words));
  tables.set(type, known);
  return known;
}

function newTable(values: readonly string[], nameOf: (value: string) => string): Table {
  return {
    byName: new Map(values.map((value) => [nameOf(value).toLowerCase(), value])),
    byValue: new Map(values.map((value) => [value, nameOf(value)])),
  };
}

// Longer than each name.
const MAX_NAME = 60;

/** The value that a name stands for; other texts stay. */
export function valueOf(words: PageWords, type: string, text: string): string {
  return (text.length > MAX_NAME ? undefined : tableOf(words, type)?.byName.get(text.toLowerCase())) ?? text;
}

/** The name of a value that is offered, or the value if it is not. */
export const nameOf = (words: PageWords, type: string, value: string): string =>
  tableOf(words, type)?.byValue.get(value) ?? value;

/** The names that the input of a type offers, in the order of the alphabet if they are many. */
export function offeredNames(words: PageWords, type: string): readonly string[] {
  const names = [...(tableOf(words, type)?.byValue.values() ?? [])];
  if (names.length === 0) return Object.hasOwn(FEW, type) ? FEW[type]! : [];
  return namedOf(type)?.isSorted === true ? names.toSorted((a, b) => a.localeCompare(b, words.language)) : names;
}
