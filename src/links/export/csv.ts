import { toCsvLines } from '../../text/spreadsheet.ts';
import { toInstant } from '../../time/instant.ts';
import { STORED_NAMES, textOf } from '../fields/content.ts';
import type { ExportedLink } from './export.ts';

/** Links as CSV (RFC 4180): a header, and a line for each link. */

type Cell = (link: ExportedLink, shortUrl: string) => string | null;

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
  clicks_left: ({ clicksLeft }) => (clicksLeft === null ? null : String(clicksLeft)),
  created_at: (link) => toInstant(link.createdAt),
  updated_at: (link) => toInstant(link.updatedAt),
} satisfies Record<string, Cell>;

/** The texts of a CSV, page by page. Cells that a spreadsheet would run as formulas are guarded by `'`. */
export async function* csvOf(
  pages: AsyncIterable<readonly ExportedLink[]>,
  shortUrlOf: (link: ExportedLink) => string,
): AsyncGenerator<string, void> {
  const cells = Object.values(COLUMNS);
  let head = toCsvLines([Object.keys(COLUMNS)]);
  for await (const links of pages) {
    const rows = links.map((link) => {
      const shortUrl = shortUrlOf(link);
      return cells.map((cellOf) => cellOf(link, shortUrl));
    });
    yield head + toCsvLines(rows);
    head = '';
  }
}
