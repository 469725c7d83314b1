const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const DOTTED = new RegExp(`(^(?:::)?|:)${[OCTET, OCTET, OCTET, OCTET].join('\\.')}$`);

/**
 * The eight numbers of 16 bits of an IP address: of IPv6 by RFC 4291, section 2.2, without its zone, and of IPv4 as the
 * IPv4-mapped address (section 2.5.5.2), which the deprecated `::192.0.2.1` counts as too. Null for other texts. The
 * caller has bounded their length.
 */
export function hextetsOf(text: string): readonly number[] | null {
  const [address = ''] = text.split('%', 1);
  const hex = address.replace(
    DOTTED,
    (_, before, ...octets) => (before === ':' ? ':' : '::ffff:') + pairsOf(octets.map(Number)),
  );
  const hextets = groupsOf(hex);
  return hextets?.length === 8 && hextets.every((each) => /^[\da-f]{1,4}$/i.test(each))
    ? hextets.map((each) => Number.parseInt(each, 16))
    : null;
}

/** The groups of a text, with those that its `::` stands for; null if it has several, or one that stands for none. */
export function groupsOf(text: string): readonly string[] | null {
  const [head = '', tail, ...more] = text.split('::');
  const [left, right] = [partsOf(head), partsOf(tail ?? '')];
  if (tail === undefined) return left;
  const zeros = 8 - left.length - right.length;
  return more.length > 0 || zeros < 1 ? null : [...left, ...Array<string>(zeros).fill('0'), ...right];
}

const pairsOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) =>
  `${(256 * a + b).toString(16)}:${(256 * c + d).toString(16)}`;

const partsOf = (text: string) => (text === '' ? [] : text.split(':'));
