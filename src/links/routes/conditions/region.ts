import { listType } from './condition-type.ts';

export const region = listType({
  type: 'region',
  label: 'Region',
  fits: (codes) => (visitor) => visitor.region !== null && codes.has(visitor.region),
  nameOf: (code) => code,
});
