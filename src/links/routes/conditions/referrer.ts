import { listType } from './condition-type.ts';
import { haveCommon } from './values.ts';

export const referrer = listType({
  type: 'referrer',
  label: 'Referrer',
  fits: (hosts) => (visitor) => haveCommon(hosts, visitor.referrerHosts),
  nameOf: (host) => `on ${host}`,
});
