import ipaddr from 'ipaddr.js';
import type { Address, Network } from '../../src/network/networks.ts';

/** Ranges of IP addresses, as far as proxies need them. */

/** True if one of some ranges contains an address. */
export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => {
    if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
    return base instanceof ipaddr.IPv6 && address.match(base, bits);
  });
}

/** True if an address is one of this machine, or of a private network (RFC 1918, RFC 4193, RFC 3927). */
export function isNearby(address: Address): boolean {
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(address.range());
}

/** True if an address is one of this machine. */
export function isOwn(address: Address): boolean {
  return address.range() === 'loopback';
}
