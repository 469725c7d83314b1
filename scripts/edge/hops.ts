import { parseAddress, type Address } from '../../src/network/networks.ts';

/**
 * `Forwarded` (RFC 7239) and `X-Forwarded-For`, lists to whose end each proxy appends what it knows of the request that it
 * got. They are read from the end, where the nearest proxy writes: what stands before the words of the proxies is that of
 * the caller, and is not read.
 */

/** The report of a proxy about a request that it got. */
interface Hop {
  /** Where it came from; null if the proxy hides that or does not know it. */
  readonly address: Address | null;
  readonly scheme: Scheme | undefined;
}

type Scheme = 'http' | 'https';

/** Reads a scheme (RFC 3986, section 3.1); undefined for another text, and for none. */
export function toScheme(text: string | undefined): Scheme | undefined {
  return (['http', 'https'] as const).find((scheme) => scheme === text?.toLowerCase());
}

/** The mark of an address that is neither an IP address nor a word for an unknown one. */
export const MALFORMED = 'malformed';

/** From the nearest proxy on. What follows a malformed hop cannot be trusted. */
export type Hops = Iterable<Hop | typeof MALFORMED>;

// Ten hops or more, with the longest addresses.
const MAX_LENGTH = 1024;

/** Reads the hops of `X-Forwarded-For`. */
export function* hopsOfList(text: string): Hops {
  for (const element of elementsFromEnd(text, (rest) => rest.lastIndexOf(',') + 1)) {
    const address = element === null ? undefined : addressOfNode(element);
    yield address === undefined ? MALFORMED : { address, scheme: undefined };
  }
}

/** Reads the hops of `Forwarded`. */
export function* hopsOfForwarded(text: string): Hops {
  for (const element of elementsFromEnd(text, lastElementOf)) {
    const pairs = element === null ? null : pairsOf(element);
    const node = pairs?.get('for');
    const address = node === undefined ? null : addressOfNode(node);
    yield pairs === null || address === undefined ? MALFORMED : { address, scheme: toScheme(pairs.get('proto')) };
  }
}

/**
 * Gives the elements of a list, the last one first, without those that are empty (RFC 9110, section 5.6.1). Null stands for
 * one that cannot be read, and is the last one that is given.
 *
 * @param startOf the index at which the last element of a text begins; null if it cannot be said
 */
function* elementsFromEnd(text: string, startOf: (rest: string) => number | null): Iterable<string | null> {
  let rest = text.slice(-MAX_LENGTH);
  const isCut = rest.length < text.length;
  while (rest !== '') {
    const start = startOf(rest);
    const element = start === null || (isCut && start === 0) ? null : rest.slice(start).trim();
    if (element !== '') yield element;
    if (start === null || element === null) return;
    rest = rest.slice(0, Math.max(0, start - 1));
  }
}

/** A comma in a quoted string separates nothing. */
function lastElementOf(text: string): number | null {
  let index = text.length - 1;
  while (index >= 0 && text[index] !== ',') {
    if (text[index] === '"') index = openingQuoteOf(text, index);
    if (index < 0) return null;
    index -= 1;
  }
  return index + 1;
}

function openingQuoteOf(text: string, closing: number): number {
  let index = closing;
  do index = index === 0 ? -1 : text.lastIndexOf('"', index - 1);
  while (index > 0 && isEscaped(text, index));
  return index;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === '\\') first -= 1;
  return (index - first) % 2 === 1;
}

// A value with a colon or brackets must be quoted, but cannot be misread where it is not.
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;=\\]+))\s*(?:;|$)/y;

/** The parameters of an element, with their names in lower case. Null if it is malformed, or has one twice. */
function pairsOf(element: string): Map<string, string> | null {
  const pairs = new Map<string, string>();
  let index = 0;
  while (index < element.length) {
    PAIR.lastIndex = index;
    const [pair = '', name = '', quoted, token = ''] = PAIR.exec(element) ?? [];
    const key = name.toLowerCase();
    if (pair === '' || pairs.has(key)) return null;
    pairs.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
    index += pair.length;
  }
  return pairs;
}

// A port is a number, or hidden by a word with an underscore (RFC 7239, section 6).
const NODE = /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** The address of a node: null for `unknown` and words with an underscore, undefined for what is not a node. */
function addressOfNode(text: string): Address | null | undefined {
  const [, inBrackets, plain] = NODE.exec(text) ?? [];
  if (plain !== undefined && /^(?:unknown|_[\w.-]+)$/i.test(plain)) return null;
  const address = parseAddress(inBrackets ?? plain ?? text);
  const isBracketed = inBrackets !== undefined;
  return address === null || (isBracketed && !inBrackets.includes(':')) ? undefined : address;
}
