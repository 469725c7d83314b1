import { listType } from './condition-type.ts';

export const browser = listType({
  type: 'browser',
  label: 'Browser',
  fits: (browsers) => (visitor) => visitor.browser !== null && browsers.has(visitor.browser),
  nameOf: (browser) => browser,
});
