import type { Database } from '../database/database.ts';
import { resolverUnavailable, type AddressResolver } from '../network/dns.ts';
import { isLocalName, isPublicAddress } from '../domains/addresses.ts';
import { servesHost } from '../domains/domains.ts';
import { AppError } from '../errors.ts';
import { hostnameOf, isLoopback, isOwnTarget, parseDomainName, type Site } from '../network/hosts.ts';
import { ownHost } from '../targets/own-hosts.ts';
import { portFaultOf } from './ports.ts';

/**
 * The hosts and ports to which requests for customers, such as webhooks, can be sent: hosts of the public internet,
 * except those of this service.
 */

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

/** Why this service sends no request to a URL. */
type HostFault = 'scheme' | 'port' | 'inner_host' | 'own_host' | 'no_address';

/**
 * Finds out whether the host of a customer's URL is on the public internet and none of this service: by its name or
 * address in any spelling, and by the addresses that DNS has for the name; null if it is. `fetch` asks DNS again and
 * cannot be given an address, so a name can have changed in between. The ports of databases and of other protocols are
 * refused too. Throws `resolver_unavailable`, `store_unavailable`.
 *
 * @param schemes those that are allowed, such as `https:`; on loopback every one is, where that is allowed
 */
export async function findHostFault(rules: HostRules, url: URL, schemes: readonly string[]): Promise<HostFault | null> {
  if (isLoopback(url) && rules.allowsLoopback) return rules.isOwn(url) ? 'own_host' : null;
  if (!schemes.includes(url.protocol)) return 'scheme';
  if (portFaultOf(url) !== null) return 'port';
  const host = hostnameOf(url);
  const address = addressOf(host);
  if (address !== null) {
    if (!isPublicAddress(address)) return 'inner_host';
    return rules.isOwn(url) ? 'own_host' : null;
  }
  if (parseDomainName(host) === null || isLocalName(`.${host}`)) return 'inner_host';
  if (rules.isOwn(url)) return 'own_host';
  const [isServed, addresses] = await Promise.all([rules.servesHost(host), rules.resolveAddresses(host)]);
  if (isServed) return 'own_host';
  // Name servers that fail say nothing about the addresses, and can respond again.
  if (addresses === 'server_failure') throw resolverUnavailable(`the name servers of ${host} fail`);
  if (addresses.length === 0) return 'no_address';
  // One inner address among public ones is enough, since the next request may go to it.
  return addresses.every(isPublicAddress) ? null : 'inner_host';
}

/**
 * Refuses a URL for which there is a `HostFault`. Throws `invalid_url`, `own_host`, and what `findHostFault` throws.
 *
 * @param schemes as of `findHostFault`; that of webhooks if it is left out
 */
export async function refuseInnerHost(rules: HostRules, url: URL, schemes = ['https:']): Promise<void> {
  switch (await findHostFault(rules, url, schemes)) {
    case 'scheme':
      throw invalidUrl(`must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
    case 'port':
      throw invalidUrl(portFaultOf(url) ?? '');
    case 'inner_host':
      throw innerHost();
    case 'own_host':
      throw ownHost();
    case 'no_address':
      throw invalidUrl('must have a host that DNS has an address for');
  }
}

/** A complaint about a URL, without its subject and its full stop. */
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
