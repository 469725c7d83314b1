import Papa from 'papaparse';
import { toInstant } from '../../time/instant.ts';
import { STORED_NAMES, textOf } from '../fields/content.ts';
import type { ManagedLink } from '../managed.ts';

/** Links as CSV (RFC 4180): a header, and a line for each link. */

// Texts that a spreadsheet would read as a formula; in some locales full-width signs count too. A text that already
// looks guarded is guarded again, so that removing the guard restores every text. The library's own pattern misses
// texts of several lines. Source: https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const GUARDED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** Removes the guard of a cell. */
export function unguard(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

type Cell = (link: ManagedLink, shortUrl: string) => string | null;

// `url` has its place before the domain.
const OTHERS = STORED_NAMES.filter((name) => name !== 'url');
const OF_CONTENT = Object.fromEntries(OTHERS.map((name): [string, Cell] => [name, (link) => textOf(name, link)]));

const COLUMNS = {
  id: (link) => link.id,
  short_url: (_, shortUrl) => shortUrl,
  slug: (link) => link.slug,
  // A slug has no spaces.
  aliases: (link) => link.aliases.join(' '),
  url: (link) => link.url,
  custom_domain: (link) => link.customDomain,
  ...OF_CONTENT,
  has_password: (link) => String(link.hasPassword),
  disabled: (link) => String(link.disabled),
  created_at: (link) => toInstant(link.createdAt),
  updated_at: (link) => toInstant(link.updatedAt),
} satisfies Record<string, Cell>;

/** The texts of a CSV, page by page. Cells that a spreadsheet would run as formulas are guarded by `'`. */
export async function* csvOf(
  pages: AsyncIterable<readonly ManagedLink[]>,
  shortUrlOf: (link: ManagedLink) => string,
): AsyncGenerator<string, void> {
  let head = toLines([Object.keys(COLUMNS)]);
  for await (const links of pages) {
    const rows = links.map((link) => Object.values(COLUMNS).map((cellOf) => cellOf(link, shortUrlOf(link))));
    yield head + toLines(rows);
    head = '';
  }
}

function toLines(rows: readonly (readonly (string | null)[])[]): string {
  if (rows.length === 0) return '';
  return `${Papa.unparse([...rows], { newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}
