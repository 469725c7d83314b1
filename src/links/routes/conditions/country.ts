import { countryName } from '../../../text/countries.ts';
import { listType } from './condition-type.ts';

export const country = listType({
  type: 'country',
  label: 'Country',
  fits: (codes) => (visitor) => visitor.country !== null && codes.has(visitor.country),
  nameOf: countryName,
});
