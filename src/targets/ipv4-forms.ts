/**
 * The forms in which IPv6 carries an IPv4 address, each of which reaches the machine of that address: IPv4-mapped and
 * IPv4-compatible (RFC 4291, section 2.5.5), NAT64 (RFC 6052), and 6to4 (RFC 3056), in which more groups may follow the
 * address. Host names here are as the URL standard serialises them: IPv6 in brackets.
 */
const CARRIER =
  /^\[(?:(?:::ffff:|::(?!ffff:)|64:ff9b::)([0-9a-f]+):([0-9a-f]+)|2002:([0-9a-f]+):([0-9a-f]*)[0-9a-f:]*)\]$/;

/** The IPv4 address that an IPv6 host name carries, or null. */
export function carriedIpv4(hostname: string): string | null {
  const groups = CARRIER.exec(hostname)
    ?.slice(1)
    .filter((group) => group !== undefined);
  if (!groups) return null;
  // An empty group is an omitted zero.
  const numbers = groups.map((group) => Number(`0x0${group}`));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/**
 * `carriedIpv4` as an SQL expression. For other host names it is NULL, or a text that is not four numbers.
 *
 * @param host an expression for a host name, whose columns are not called `key` or `value`
 */
export function carriedIpv4Of(host: string): string {
  // After the prefix, the groups of the address are read as hexadecimal numbers of JSON5, with a zero for omitted ones.
  const prefixes = ['[2002:', '[64:ff9b::', '[::ffff:', '[::'];
  const groups = prefixes.reduce((name, prefix) => `replace(${name}, '${prefix}', '')`, host);
  return `CASE WHEN ${host} GLOB '[[]*' THEN (
    SELECT group_concat((value >> 8) || '.' || (value & 255), '.')
    FROM json_each('[0x0' || replace(trim(${groups}, '[]'), ':', ',0x0') || ']')
    WHERE key < 2 OR ${host} NOT GLOB '[[]2002:*') END`;
}
