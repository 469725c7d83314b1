import { continentName, CONTINENTS, isContinent } from '../../../text/countries.ts';
import { listType } from './condition-type.ts';
import { findIn, knownValue } from './values.ts';

export const continent = listType({
  type: 'continent',
  label: 'Continent',
  description: `Codes of continents, case-insensitive: ${CONTINENTS.join(', ')}`,
  value: () => knownValue(`one of ${CONTINENTS.join(', ')}`, findIn(CONTINENTS)),
  fits: (codes) => (visitor) => visitor.continent !== null && codes.has(visitor.continent),
  nameOf: (code) => (isContinent(code) ? continentName(code) : code),
});
