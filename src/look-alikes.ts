/** Which texts people take for one another, for telling apart slugs and names. Texts are short: their rooms bound them first. */

const IS_ASCII = /^\p{ASCII}*$/u;

/** What no reader sees: fillers, joiners, variation selectors, blanks that count as letters, and what turns the direction of text. */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\u{13441}\u{13442}\u{16fe4}]/u;

const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');

/**
 * A text without its case, by the full case folding of Unicode, and ı as i. Lower case first and last, so that letters which
 * have more than one form fall together: ẞ, ß and ss.
 */
export function foldCase(text: string): string {
  return IS_ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

// Letters of two alphabets that look alike, in small letters: the few of https://www.unicode.org/reports/tr39/ that keyboards have.
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

// Those whose capital letters look like others than their small ones do, and digits.
const CAPITAL = mapOf({ h: 'Η', l: 'I1ΙІӀ', m: 'Μ', n: 'Ν', o: '0', y: 'Υ' });

function mapOf(alike: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(alike).flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin])));
}

const mapped = (text: string, by: ReadonlyMap<string, string>) =>
  Array.from(text, (character) => by.get(character) ?? character).join('');

/**
 * What is left of a text when case, compatibility forms (NFKC), what no reader sees and letters that look alike make no
 * difference: two texts with the same skeleton are taken for one another.
 */
export function skeletonOf(text: string): string {
  const folded = foldCase(text.normalize('NFKC').replace(EACH_UNSEEN, ''));
  return IS_ASCII.test(folded) ? folded : mapped(folded, SMALL).normalize('NFC');
}

/** The words that a text may be read as: with capital I for l and digits for letters, too. */
export function readingsOf(text: string): readonly string[] {
  return [skeletonOf(text), skeletonOf(mapped(text.normalize('NFKC'), CAPITAL))];
}
