import { continentName, isContinent } from '../../../text/countries.ts';
import { listType } from './condition-type.ts';

export const continent = listType({
  type: 'continent',
  label: 'Continent',
  fits: (codes) => (visitor) => visitor.continent !== null && codes.has(visitor.continent),
  nameOf: (code) => (isContinent(code) ? continentName(code) : code),
});
