import { listType } from './condition-type.ts';
import { findIn, knownValue } from './values.ts';

const DEVICES = ['mobile', 'tablet', 'desktop'];

export const device = listType({
  type: 'device',
  label: 'Device',
  description: `Kinds of devices: ${DEVICES.join(', ')}`,
  value: () => knownValue(`one of ${DEVICES.join(', ')}`, findIn(DEVICES)),
  fits: (devices) => (visitor) => visitor.device !== null && devices.has(visitor.device),
  nameOf: (device) => device,
});
