import ipaddr from 'ipaddr.js';

/**
 * True if an address belongs to the public internet: it is not a loopback, private, link-local, shared, documentation
 * or multicast address, and not an IPv6 address that carries an IPv4 address. Source: the IANA registries of
 * special-purpose addresses (RFC 6890), as ipaddr.js has them.
 *
 * @param address IPv4 or IPv6, without brackets
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || isGlobalUnicast(parsed));
}

// 2000::/3: ipaddr.js calls all unicast that has no special purpose, but IANA has assigned no more than this to the
// internet, and networks use addresses beyond it inside.
const isGlobalUnicast = ({ parts: [first = 0] }: ipaddr.IPv6) => first >>> 13 === 0b001;

// Names that are never in the public DNS: RFC 6761, 6762, 7686 and 8375, and those that ICANN reserves for private use.
const LOCAL_NAMES = /\.(?:localhost|local|internal|home\.arpa|onion|invalid)$/;

/** True if a host name belongs to a local network, so that no visitor from the internet can reach it. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}
