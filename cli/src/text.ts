import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';
import { escapedJson } from '../../src/text/json.ts';

/** Texts of visitors and of other people, as a terminal may show them. */

// Controls (C0, DEL, C1), what turns the direction of a text, line and paragraph separators, and what has no width.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
// Longer texts than any field of the API has.
const MAX_LENGTH = 100_000;

/** A text on one line, without escape sequences, control characters and marks of direction. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.slice(0, MAX_LENGTH))
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(UNSAFE, '');
}

/** A URL with its letters decoded, for people; as it is, if a decoded character could not be seen. */
export function readable(url: string): string {
  try {
    const decoded = decodeURI(url);
    return plain(decoded) === decoded && !/\s/u.test(decoded) ? decoded : url;
  } catch {
    return url;
  }
}

/** A value as one line of JSON, in which what could act on a terminal is escaped: a parser reads the same value. */
export function plainJson(value: unknown): string {
  return escapedJson(value, UNSAFE);
}

const segmenter = new Intl.Segmenter();

/** The number of columns that a text takes. */
export function widthOf(text: string): number {
  return graphemesOf(text).reduce((sum, { width }) => sum + width, 0);
}

/** Cuts a text to a number of columns, the last of which is then an ellipsis. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const grapheme of graphemesOf(text)) {
    if (width + grapheme.width > columns - 1) break;
    kept += grapheme.text;
    width += grapheme.width;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Fills a text up with spaces. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return side === 'left' ? text + spaces : spaces + text;
}

function graphemesOf(text: string): { text: string; width: number }[] {
  return [...segmenter.segment(text)].map(({ segment }) => ({ text: segment, width: graphemeWidth(segment) }));
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{M}+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
