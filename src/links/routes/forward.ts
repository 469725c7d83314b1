import { MAX_URL_CHARACTERS } from '../destinations/web-url.ts';

/** The parts that a visit adds to a destination: parameters and a path. Neither can change its scheme, host or port. */

/** Whose value counts if the visit and the destination have a parameter of the same name. */
type QueryMode = 'keep' | 'override';

/**
 * A destination with the parameters of a visit: `keep` adds those whose names it has not, `override` also replaces all
 * values of the names that the visit has. All else stays byte for byte. If the result would be too long, it is the
 * destination alone.
 *
 * @param destination as the URL standard serialises it
 * @param search the query of the visit, with or without its `?`
 */
export function forwardQuery(destination: string, search: string, mode: QueryMode): string {
  const given = search.startsWith('?') ? search.slice(1) : search;
  if (given === '' || given.length > MAX_URL_CHARACTERS) return destination;
  const { base, query, fragment } = partsOf(destination);
  const [own, visits] = [parametersOf(query), parametersOf(encoded(given, UNSAFE_IN_QUERY))];
  const [ownNames, visitNames] = [namesOf(own), namesOf(visits)];
  const kept = mode === 'keep' ? own : own.filter(({ name }) => name === null || !visitNames.has(name));
  const added = visits.filter(({ name }) => name !== null && (mode === 'override' || !ownNames.has(name)));
  if (added.length === 0) return destination;
  const texts = [...withoutEnd(kept), ...added].map(({ text }) => text);
  return withinBound(`${base}?${texts.join('&')}${fragment}`, destination);
}

/**
 * A destination whose path continues with the rest of the path of a visit. Null if the rest has a segment of one or two
 * dots, in any encoding, by which a browser or the server of the destination could leave its path. If the result would
 * be too long, it is the destination alone.
 *
 * @param destination as the URL standard serialises it
 * @param rest what follows the slug in the path of the visit, percent-encoded, with or without its first slash
 */
export function forwardPath(destination: string, rest: string): string | null {
  if (rest.length > MAX_URL_CHARACTERS) return destination;
  const given = rest.replace(/^\/+/, '');
  if (given === '') return destination;
  if (hasDots(given)) return null;
  const { base, query, fragment } = partsOf(destination);
  const path = `${base}${base.endsWith('/') ? '' : '/'}${encoded(given, UNSAFE_IN_PATH)}`;
  return withinBound(`${path}${query === null ? '' : `?${query}`}${fragment}`, destination);
}

const withinBound = (result: string, destination: string): string =>
  result.length > MAX_URL_CHARACTERS ? destination : result;

interface Parts {
  /** All before the query. */
  readonly base: string;
  /** Without its `?`; null if there is none. */
  readonly query: string | null;
  /** With its `#`; '' if there is none. */
  readonly fragment: string;
}

function partsOf(destination: string): Parts {
  const hash = destination.indexOf('#');
  const [rest, fragment] = hash === -1 ? [destination, ''] : [destination.slice(0, hash), destination.slice(hash)];
  const mark = rest.indexOf('?');
  if (mark === -1) return { base: rest, query: null, fragment };
  return { base: rest.slice(0, mark), query: rest.slice(mark + 1), fragment };
}

/** A part of a query between two `&`, and the name of its parameter; null if it is empty. */
interface Parameter {
  readonly name: string | null;
  readonly text: string;
}

function parametersOf(query: string | null): Parameter[] {
  if (query === null) return [];
  const texts = query.split('&');
  const names = decoded(texts.filter((text) => text !== '').map((text) => text.split('=', 1)[0] ?? ''));
  let next = 0;
  return texts.map((text) => ({ text, name: text === '' ? null : (names[next++] ?? null) }));
}

// To ask the parser for thousands of names takes as long as all else here, and most have nothing to decode. It would
// take away a `?` at the beginning.
function decoded(names: readonly string[]): readonly string[] {
  if (!names.some((name) => /[%+]/.test(name))) return names;
  return Array.from(new URLSearchParams(`&${names.map((name) => `${name}=`).join('&')}`).keys());
}

const namesOf = (parameters: readonly Parameter[]): ReadonlySet<string | null> =>
  new Set(parameters.map(({ name }) => name));

/** Without an empty part at the end, to which the next one would be added after another `&`. */
function withoutEnd(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.at(-1)?.name === null ? parameters.slice(0, -1) : parameters;
}

// What the URL parser would percent-encode or remove, or read as the end of this part:
// https://url.spec.whatwg.org/#query-state
const UNSAFE_IN_QUERY = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]+/g;
// Besides these, a backslash would be read as a slash.
const UNSAFE_IN_PATH = /[^\x21\x24-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7c\x7e]+/g;

/** Percent-encodes a part of a URL as the URL parser would, so that the rest of the URL is not read differently. */
function encoded(text: string, unsafe: RegExp): string {
  return text.toWellFormed().replaceAll(unsafe, (run) => encodeURIComponent(run).replaceAll("'", '%27'));
}

const ENCODED_ASCII = /%([2-7][0-9a-f])/gi;
// Servers decode a path once, some of them twice. What is nested deeper is refused.
const MAX_DECODINGS = 4;
// Some servers take away what follows a semicolon in a segment before they look for dots.
const DOTS = /(?:^|[/\\])\.{1,2}(?:[/\\;]|$)/;

/** True if a path has a segment of dots, in any mix of encodings of dots, slashes and backslashes. */
function hasDots(path: string): boolean {
  let text = path;
  for (let decodings = 0; decodings <= MAX_DECODINGS; decodings += 1) {
    if (DOTS.test(text)) return true;
    const decoded = text.replaceAll(ENCODED_ASCII, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
