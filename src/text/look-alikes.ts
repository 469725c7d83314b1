/** Which texts look alike, for slugs and names. Callers bound the length of texts first. */

const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * Invisible characters: fillers, joiners, variation selectors, blanks that count as letters, and bidirectional
 * controls.
 */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\u{13441}\u{13442}\u{16fe4}]/u;

const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');

/** True if a text has more than blanks and invisible characters. */
export function isSeen(text: string): boolean {
  return text.replace(EACH_UNSEEN, '').trim() !== '';
}

/**
 * A text without case, by Unicode's full case folding, and with ı as i. Lower, upper and lower case in turn make ẞ, ß
 * and ss equal.
 */
export function foldCase(text: string): string {
  return IS_ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

// Small letters of other alphabets that look like Latin ones: those of https://www.unicode.org/reports/tr39/ that
// keyboards can type.
const SMALL = mapOf({
  a: 'аɑα',
  b: 'вьβ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еεє',
  g: 'ɡ',
  h: 'һн',
  i: 'іıɩɪι',
  j: 'јϳ',
  k: 'кκ',
  l: 'ӏ',
  m: 'м',
  n: 'η',
  o: 'оο',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  t: 'тτ',
  u: 'υμ',
  v: 'νѵ',
  w: 'ԝω',
  x: 'хχ',
  y: 'уγү',
  z: 'ζ',
});

// Letters whose capitals look like another Latin letter than their small letters do, and digits.
const CAPITAL = mapOf({ h: 'Η', l: 'I1ΙІӀ', m: 'Μ', n: 'Ν', o: '0', y: 'Υ' });

function mapOf(alike: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(alike).flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin])));
}

/** The Latin letter that a small letter of another alphabet, which keyboards can type, looks like. */
export const typedLatin = (small: string): string | undefined => SMALL.get(small);

const mapped = (text: string, by: ReadonlyMap<string, string>) =>
  Array.from(text, (character) => by.get(character) ?? character).join('');

/**
 * A text without case, compatibility forms (NFKC) and invisible characters, in which letters that look Latin are Latin:
 * two texts with the same skeleton look alike.
 */
export function skeletonOf(text: string): string {
  const folded = foldCase(withoutUnseen(text));
  return IS_ASCII.test(folded) ? folded : mapped(folded, SMALL).normalize('NFC');
}

/** A text without compatibility forms and invisible characters. */
export const withoutUnseen = (text: string): string => text.normalize('NFKC').replace(EACH_UNSEEN, '');

/** The words that a text may be read as, also with capital I for l and digits for letters. */
export function readingsOf(text: string): readonly string[] {
  return [skeletonOf(text), skeletonOf(mapped(text.normalize('NFKC'), CAPITAL))];
}
