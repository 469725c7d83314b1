import { parseDomainName } from '../../../network/hosts.ts';
import { listType } from './condition-type.ts';
import { haveCommon, knownValue } from './values.ts';

export const referrer = listType({
  type: 'referrer',
  label: 'Referrer',
  description: 'Hosts of the pages that visitors come from; each stands for all hosts below it too',
  value: () => knownValue('the name of a host such as example.com', parseDomainName),
  fits: (hosts) => (visitor) => haveCommon(hosts, visitor.referrerHosts),
  nameOf: (host) => `on ${host}`,
});
