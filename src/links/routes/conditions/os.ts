import { listType } from './condition-type.ts';

export const os = listType({
  type: 'os',
  label: 'Operating system',
  fits: (systems) => (visitor) => visitor.os !== null && systems.has(visitor.os),
  nameOf: (system) => system,
});
