import { parseDomainName } from '../../../hosts.ts';
import { listType } from './condition-type.ts';
import { knownValue } from './values.ts';

export const referrer = listType({
  type: 'referrer',
  label: 'Referrer',
  description: 'Hosts of the pages that visitors come from; each stands for all hosts below it too',
  value: () => knownValue('the name of a host such as example.com', parseDomainName),
  fits: (hosts) => (visitor) => visitor.referrerHost !== null && isBelow(visitor.referrerHost, hosts),
  nameOf: (host) => `on ${host}`,
});

/** Whether a host, or one above it, is among these. */
function isBelow(host: string, hosts: ReadonlySet<string>): boolean {
  for (let rest = host, dot = 0; dot !== -1; rest = rest.slice(dot + 1)) {
    if (hosts.has(rest)) return true;
    dot = rest.indexOf('.');
  }
  return false;
}
