import { SYSTEMS } from '../../../clicks/visitor.ts';
import { listType } from './condition-type.ts';
import { findIn, knownValue } from './values.ts';

export const os = listType({
  type: 'os',
  label: 'Operating system',
  description: 'Names of operating systems, as click statistics have them, case-insensitive',
  value: () => knownValue('the name of an operating system such as Android', findIn(SYSTEMS)),
  fits: (systems) => (visitor) => visitor.os !== null && systems.has(visitor.os),
  nameOf: (system) => system,
});
