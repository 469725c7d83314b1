import { listType } from './condition-type.ts';

export const device = listType({
  type: 'device',
  label: 'Device',
  fits: (devices) => (visitor) => visitor.device !== null && devices.has(visitor.device),
  nameOf: (device) => device,
});
