import Papa from 'papaparse';

/** CSV (RFC 4180) that people open in a spreadsheet. */

// Texts that a spreadsheet would read as a formula; in some locales full-width signs count too. A text that already
// looks guarded is guarded again, so that removing the guard restores every text. The library's own pattern misses
// texts of several lines. Source: https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const GUARDED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** Removes the guard of a cell. */
export function unguard(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

type Cell = string | number | null;

/** The lines of some rows. Cells that a spreadsheet would run as formulas are guarded by `'`. */
export function toCsvLines(rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  return `${Papa.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}
