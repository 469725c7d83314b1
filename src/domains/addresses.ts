import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet: it is not a loopback, private, link-local, shared, documentation
 * or multicast address, and not an IPv6 address that carries an IPv4 address. Source: the IANA registries of
 * special-purpose addresses (RFC 6890), as ipaddr.js has them.
 *
 * @param address IPv4 or IPv6, without brackets
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast' && !isIpv4Compatible(address);
}

// The deprecated ::/96 (RFC 4291, section 2.5.5.1), which ipaddr.js reports as unicast.
const isIpv4Compatible = (address: string) => address.startsWith('::');

// Names that are never in the public DNS: RFC 6761, 6762, 7686 and 8375, and those that ICANN reserves for private use.
const LOCAL_NAMES = /\.(?:localhost|local|internal|home\.arpa|onion|invalid)$/;

/** Whether a host name belongs to a local network, so that no visitor from the internet can reach it. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}
