import type { Database } from '../database/database.ts';
import { resolverUnavailable, type AddressResolver } from '../network/dns.ts';
import { isLocalName, isPublicAddress } from '../domains/addresses.ts';
import { servesHost } from '../domains/domains.ts';
import { AppError } from '../errors.ts';
import { hostnameOf, isLoopback, isOwnTarget, parseDomainName, type Site } from '../network/hosts.ts';
import { ownHost } from '../targets/own-hosts.ts';
import { portFaultOf } from './ports.ts';

/** Which hosts and ports a webhook can be sent to: hosts of the public internet, except those of this service. */

/** The rules that decide about a host. */
export interface HostRules {
  readonly resolveAddresses: AddressResolver;
  /** True if a URL leads to the service's own host. */
  readonly isOwn: (url: URL) => boolean;
  /** True if a host is a custom domain that this service serves. */
  readonly servesHost: (host: string) => Promise<boolean>;
  /** `WEBHOOK_LOOPBACK` */
  readonly allowsLoopback: boolean;
}

/** The settings about hosts. */
export interface HostSettings extends Pick<HostRules, 'resolveAddresses' | 'allowsLoopback'> {
  /** `DOMAIN_TARGET`, to which custom domains lead. */
  readonly domainTarget: string | null;
}

/** The rules of a service, for a request or in the background, where its site can be unknown. */
export const hostRulesOf = (db: Database, site: Site | null, { domainTarget, ...given }: HostSettings): HostRules => ({
  ...given,
  isOwn: (url) => hostnameOf(url) === domainTarget || (site !== null && isOwnTarget(url, site)),
  servesHost: (host) => servesHost(db, host),
});

/**
 * Refuses a URL of a customer whose host is not on the public internet, or is one of this service: by its name or address
 * in any spelling, and by the addresses that DNS has for the name. `fetch` asks DNS again and cannot be given an address, so
 * a name can have changed in between. Refuses the ports of databases and of other protocols too. Throws `invalid_url`,
 * `own_host`, `resolver_unavailable`, `store_unavailable`.
 */
export async function refuseInnerHost(rules: HostRules, url: URL): Promise<void> {
  if (isLoopback(url) && rules.allowsLoopback) {
    if (rules.isOwn(url)) throw ownHost();
    return;
  }
  if (url.protocol !== 'https:') throw invalidUrl('must begin with https://');
  const portFault = portFaultOf(url);
  if (portFault !== null) throw invalidUrl(portFault);
  const host = hostnameOf(url);
  const address = addressOf(host);
  if (address !== null) {
    if (!isPublicAddress(address)) throw innerHost();
    if (rules.isOwn(url)) throw ownHost();
    return;
  }
  if (parseDomainName(host) === null || isLocalName(`.${host}`)) throw innerHost();
  if (rules.isOwn(url)) throw ownHost();
  const [isServed, addresses] = await Promise.all([rules.servesHost(host), rules.resolveAddresses(host)]);
  if (isServed) throw ownHost();
  // Name servers that fail say nothing about the addresses, and can respond again.
  if (addresses === 'server_failure') throw resolverUnavailable(`the name servers of ${host} fail`);
  if (addresses.length === 0) throw invalidUrl('must have a host that DNS has an address for');
  // One inner address among public ones is enough, since the next request may go to it.
  if (!addresses.every(isPublicAddress)) throw innerHost();
}

/** A complaint about the URL of a webhook, without its subject and its full stop. */
function invalidUrl(complaint: string): AppError {
  return new AppError('invalid_url', `url ${complaint}.`, {
    faults: [{ field: 'url', sentence: `This ${complaint}.`, detail: `url ${complaint}.` }],
  });
}

const innerHost = () =>
  invalidUrl('must lead to a host of the public internet, not to one of a private network or of this machine');

/** The address of a host that is one. The URL standard has turned each spelling of IPv4 into four decimal numbers. */
function addressOf(host: string): string | null {
  if (host.startsWith('[')) return host.slice(1, -1);
  return /^\d+(?:\.\d+){3}$/.test(host) ? host : null;
}
