import type { Param } from './database.ts';

/** The case-insensitive search for a part of a text, in SQL. */

// SQLite copies the text for each of them, and bounds the depth of an expression. The Cyrillic and the Greek alphabet
// have no more.
const MAX_LETTERS = 33;

/**
 * Returns the condition that a column holds `q` regardless of case, composed or decomposed. SQLite's lower() knows only
 * ASCII, so the other letters of `q` are replaced in the text of the column, one by one; beyond `most` of them the case
 * must match.
 *
 * @param q at most 200 characters, since it is normalised
 * @param bind adds a parameter, and returns its name
 */
export function matcherOf(q: string, bind: (value: Param) => string, most = MAX_LETTERS): (column: string) => string {
  const forms = [...new Set([q, q.normalize('NFC'), q.normalize('NFD')])];
  const letters = [...new Set(forms.flatMap(lettersOf))].slice(0, most);
  const parts = new Set(
    forms.map((form) => foldAll(form, (letter) => IS_ASCII.test(letter) || letters.includes(letter))),
  );
  const asParts = [...parts].map(bind);
  // One parameter, since D1 accepts a hundred.
  const asPairs = letters.length > 0 ? bind(JSON.stringify(letters.flatMap((letter) => [letter, fold(letter)]))) : '';
  return (column) => {
    const text = letters.reduce(
      (inner, _, n) => `replace(${inner}, ${asPairs} ->> ${2 * n}, ${asPairs} ->> ${2 * n + 1})`,
      `lower(${column})`,
    );
    // In parentheses, so that conditions in a row are no deeper than this one and their number.
    return `(${asParts.map((part) => `instr(${text}, ${part}) > 0`).join(' OR ')})`;
  };
}

/**
 * Returns the condition that a column holds `q`, to follow others; '' without a text. Adds its parameters to those of the
 * statement.
 *
 * @param q at most 200 characters
 */
export function andHolds(column: string, q: string, params: Param[]): string {
  return q === '' ? '' : ` AND (${matcherOf(q, (value) => `?${params.push(value)}`)(column)})`;
}

const IS_ASCII = /^\p{ASCII}$/u;

/** The letters outside ASCII that a text may have where `q` has the same ones in another case. */
function lettersOf(q: string): readonly string[] {
  const folded = foldAll(q);
  const cases = Array.from(q + folded).flatMap((letter) => [letter, letter.toLowerCase(), letter.toUpperCase()]);
  // In Unicode ß, ẞ and ss differ only in case, as do the two small forms of Σ.
  const others = ['ß', 'ẞ', 'ς'].filter((letter) => folded.includes(fold(letter)));
  return [...cases, ...others].filter(
    (each) => Array.from(each).length === 1 && !IS_ASCII.test(each) && fold(each) !== each,
  );
}

/** A letter without case, whatever follows it: the small form of Σ depends on that. */
const fold = (letter: string): string => letter.toLowerCase().toUpperCase().toLowerCase();

const foldAll = (text: string, isMeant: (letter: string) => boolean = () => true): string =>
  Array.from(text, (letter) => (isMeant(letter) ? fold(letter) : letter)).join('');
