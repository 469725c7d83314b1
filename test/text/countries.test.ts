import { describe, expect, it } from 'vitest';
import {
  continentName,
  continentOf,
  CONTINENTS,
  countryName,
  isContinent,
  isCountry,
} from '../../src/text/countries.ts';

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

// What Unicode names besides the codes of ISO 3166-1: groups, parts of countries, and codes that were withdrawn.
const NO_COUNTRIES = 'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(
  ' ',
);

describe('a country', () => {
  it('the countries are every code that Unicode names, except those that ISO 3166-1 has not', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
    const named = CODES.filter((code) => names.of(code) !== undefined && !NO_COUNTRIES.includes(code));
    expect(CODES.filter(isCountry)).toEqual(named);
    expect(named).toHaveLength(249 + 1);
  });

  it.each(['de', 'T1', 'D', 'DEU', '', 'AAO', 'XX', '__proto__'])('a country is not %j', (code) => {
    expect([isCountry(code), continentOf(code)]).toEqual([false, null]);
  });

  it('a country has an English name, and an unknown one its code', () => {
    expect(['DE', 'XK', 'QX', 'T1', 'zz'].map(countryName)).toEqual(['Germany', 'Kosovo', 'QX', 'T1', 'zz']);
  });
});

describe('a continent', () => {
  it.each([
    ['AF', 'Africa', 'EG', 58],
    ['AN', 'Antarctica', 'AQ', 5],
    ['AS', 'Asia', 'TR', 52],
    ['EU', 'Europe', 'XK', 53],
    ['NA', 'North America', 'PA', 41],
    ['OC', 'Oceania', 'AU', 27],
    ['SA', 'South America', 'BR', 14],
  ] as const)('the continent %s is %s, of %s and others', (continent, name, country, countries) => {
    expect(isContinent(continent)).toBe(true);
    expect(continentName(continent)).toBe(name);
    expect(continentOf(country)).toBe(continent);
    expect(CODES.filter((code) => continentOf(code) === continent)).toHaveLength(countries);
  });

  it('a continent is one of seven', () => {
    expect(CONTINENTS).toEqual(['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA']);
    expect(['eu', 'XX', '', 'toString'].filter(isContinent)).toEqual([]);
  });
});
