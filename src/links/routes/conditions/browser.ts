import { BROWSERS } from '../../../clicks/visitor.ts';
import { listType } from './condition-type.ts';
import { findIn, knownValue } from './values.ts';

export const browser = listType({
  type: 'browser',
  label: 'Browser',
  description: 'Names of browsers, as click statistics have them, case-insensitive',
  value: () => knownValue('the name of a browser such as Firefox', findIn(BROWSERS)),
  fits: (browsers) => (visitor) => visitor.browser !== null && browsers.has(visitor.browser),
  nameOf: (browser) => browser,
});
