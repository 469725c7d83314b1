import ipaddr from 'ipaddr.js';

/** IP addresses and networks as headers, options and rules write them. */

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address, and how many of its first bits all addresses of the range share. */
export type Network = readonly [address: Address, bits: number];

// The longest IPv6 address, and a zone with the longest name of an interface (RFC 4007, section 11).
const MAX_ADDRESS_LENGTH = 64;
const ZONE = /%[\w.~%-]+$/;

/**
 * Reads an IP address: IPv4 as four decimal numbers, IPv6 by RFC 4291. An IPv4-mapped address is its IPv4 address, and
 * a zone is left out, since it has a meaning only on the machine that wrote it. Null for any other text.
 */
export function parseAddress(text: string): Address | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const bare = text.replace(ZONE, '');
  // The library takes further notations, such as hexadecimal numbers with dots.
  return /^[\da-f:.]+$/i.test(bare) && ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
}

/**
 * Reads a range in CIDR notation (RFC 4632; RFC 4291, section 2.3), or an address, which is a range of its own. A range
 * of IPv4-mapped addresses is that of the IPv4 addresses. Null for any other text.
 */
export function parseNetwork(text: string): Network | null {
  const [, base = '', given] = /^([^/]{1,64})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === null || base.includes('%')) return null;
  const most = address.kind() === 'ipv4' ? 32 : 128;
  if (given === undefined) return [address, most];
  // Of an IPv4-mapped address the first 96 bits are always the same.
  const bits = base.includes(':') && most === 32 ? Number(given) - 96 : Number(given);
  return bits >= 0 && bits <= most ? [address, bits] : null;
}

/** The usual spelling of a network in CIDR notation (RFC 5952), with zeros after its prefix; null for any other text. */
export function findNetwork(text: string): string | null {
  const network = parseNetwork(text);
  if (network === null) return null;
  const [address, bits] = network;
  const cidr = `${address.toString()}/${bits}`;
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}
