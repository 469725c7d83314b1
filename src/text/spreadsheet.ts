/** CSV (RFC 4180) that people open in a spreadsheet. */

// What a spreadsheet may leave out before a formula: blanks, controls, characters that are not seen, and quotes.
const SKIPPED = String.raw`(?:(?![,;\t\r\n])[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800"])*`;
// Full-width and small signs count too in some locales. Source: https://owasp.org/www-community/attacks/CSV_Injection
const SIGN = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫]`;
const FORMULA = `${SKIPPED}${SIGN}`;
// A comma separates no cells where all texts are quoted, and may stand before a negative number: the coordinates in a
// URL, a list in JSON. Such a number is no formula.
const NUMBER = String.raw`[\p{Z}]*[+\-]\d[\d.]*(?:$|[,\]}])`;

// The places of guards. Where another separator is expected than the comma of the file, cells begin in the middle of a
// text, and its quotes do not count: so each part of it is guarded. What already looks guarded is guarded again, so
// that removing the guards restores every text.
const PARTS = `(?<=[;\\t\\r\\n])(?='*${FORMULA})|(?<=,)(?!'*${NUMBER})(?='*${FORMULA})`;
const UNGUARDED = new RegExp(`^(?='*(?:${FORMULA}|[\\t\\r\\n]))|${PARTS}`, 'gu');
const GUARDED_PARTS = `(?<=[;\\t\\r\\n])'(?='*${FORMULA})|(?<=,)'(?!'*${NUMBER})(?='*${FORMULA})`;
const GUARDED = new RegExp(`^'(?='*(?:${FORMULA}|[\\t\\r\\n]))|${GUARDED_PARTS}`, 'gu');

// Most cells need no guard, and are recognised faster than by the search for its places: they begin with a letter or a
// digit and have no separator, or they have no sign.
const IS_ONE_PLAIN_PART = /^[A-Za-z\d][^,;\t\r\n]*$/;
const HAS_SIGN = new RegExp(`${SIGN}|^'*[\\t\\r\\n]`, 'u');

// Exports of version 1.2.0 and older, and some of other services, guard only the beginning of a cell.
const GUARDED_BEGINNING = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** The guard of a cell. A cell without it has none. */
export const GUARD = "'";

/** Removes the guards of a cell that this service has written. */
export function unguard(cell: string): string {
  return cell.includes(GUARD) ? cell.replaceAll(GUARDED, '') : cell;
}

/** Removes the guard of a cell that another service has written. */
export function unguardBeginning(cell: string): string {
  return GUARDED_BEGINNING.test(cell) ? cell.slice(1) : cell;
}

type Cell = string | number | null;

/**
 * The lines of some rows, with quotes around each text that is not empty. What a spreadsheet would run as a formula,
 * wherever it expects cells to begin, is guarded by `'`.
 */
export function toCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

// Numbers need no quotes: their decimal sign is a point.
const toCell = (cell: Cell): string =>
  typeof cell !== 'string' ? String(cell ?? '') : cell === '' ? '' : `"${guard(cell).replaceAll('"', '""')}"`;

function guard(cell: string): string {
  if (IS_ONE_PLAIN_PART.test(cell) || !HAS_SIGN.test(cell)) return cell;
  return cell.replaceAll(UNGUARDED, GUARD);
}
