import ipaddr from 'ipaddr.js';

/**
 * IPv6 addresses that contain an IPv4 address, each of which reaches the machine with that address. Host names here are
 * as the URL standard serialises them: IPv6 in brackets.
 */

// The last four bytes are the address. IPv4-mapped and IPv4-compatible (RFC 4291, section 2.5.5), NAT64 (RFC 6052).
const PREFIXES = ['::ffff:', '::', '64:ff9b::'];
// 6to4 (RFC 3056): the next four bytes are the address, and the rest may be anything.
const SIX_TO_FOUR = 0x2002;

/** The IPv4 address that an IPv6 host name contains, or null. The unspecified and the loopback address contain none. */
export function carriedIpv4(hostname: string): string | null {
  if (!hostname.startsWith('[') || !hostname.endsWith(']')) return null;
  const parts = ipaddr.IPv6.parse(hostname.slice(1, -1)).parts;
  if (parts[0] === SIX_TO_FOUR) return dotted(parts.slice(1, 3));
  const [high = 0, low = 0] = parts.slice(6);
  const isCarrier = PREFIXES.some((prefix) => hostname === hostnameOf(prefix, high, low));
  return isCarrier && high !== 0 ? dotted([high, low]) : null;
}

/** The host names that contain an IPv4 address; for 6to4, which has many, the prefixes of their names. */
export function carriersOf(ipv4: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const [high, low] = [(a << 8) | b, (c << 8) | d];
  const begin = `[2002:${high.toString(16)}:`;
  // The URL standard leaves out the longest run of zeros.
  const beginnings = [
    `${begin}${low.toString(16)}:`,
    `${begin}${low.toString(16)}::`,
    ...(low === 0 ? [`${begin}:`] : []),
  ];
  return [...PREFIXES.map((prefix) => hostnameOf(prefix, high, low)), ...beginnings];
}

function hostnameOf(prefix: string, high: number, low: number): string {
  return new URL(`http://[${prefix}${high.toString(16)}:${low.toString(16)}]`).hostname;
}

function dotted(hextets: readonly number[]): string {
  return hextets.flatMap((hextet) => [hextet >> 8, hextet & 255]).join('.');
}

/**
 * A further SELECT of a recursive query over the names above a host: it shortens a 6to4 address by its last group.
 *
 * @param names the recursive table, with a column `name`
 */
export function shorterSixToFour(names: string): string {
  return `SELECT rtrim(rtrim(name, ':'), '0123456789abcdef]') FROM ${names} WHERE name GLOB '[[]2002:?*'`;
}

/** A condition in SQL: whether `form` is a prefix of 6to4 addresses, and the host name begins with it. */
export function isInSixToFour(host: string, form: string): string {
  return `(${form} GLOB '[[]2002:*:' AND substr(${host}, 1, length(${form})) = ${form})`;
}
