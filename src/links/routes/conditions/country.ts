import { countryName, countryOf } from '../../../text/countries.ts';
import { listType } from './condition-type.ts';
import { knownValue } from './values.ts';

export const country = listType({
  type: 'country',
  label: 'Country',
  description: 'Codes of countries (ISO 3166-1 alpha-2), case-insensitive',
  value: () => knownValue('the code of a country (ISO 3166-1 alpha-2) such as DE', countryOf),
  fits: (codes) => (visitor) => visitor.country !== null && codes.has(visitor.country),
  nameOf: countryName,
});
