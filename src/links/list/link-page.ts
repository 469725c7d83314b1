import type { List, ListPage } from '../../accounts/list-page.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';

export interface LinkPage {
  readonly links: readonly ManagedLink[];
  /** The start of the next page, or null at the end of the list. A page may be short, or empty, before that. */
  readonly cursor: string | null;
  /** When the last link that the page has read was created, in milliseconds since the epoch; null at the list's end. */
  readonly scannedTo: number | null;
}

/** A row that a page has read; `fits` is 1 if the link matches the filters. */
export type FilteredRow = ManagedRow & { readonly fits: number };

/**
 * A list of links where a page reads a limited number: it continues if more than `limit` of them fit, or if the page
 * has read as many as it may.
 *
 * @param isLast whether a row is the last one that a page may read
 */
export function listOfLinks<Row extends FilteredRow>(
  isLast: (row: Row) => boolean,
  list: Pick<List<Row, ManagedLink>, 'permission' | 'select' | 'subject'>,
): List<Row, ManagedLink> {
  return {
    ...list,
    positionOf: (row) => [row.created_at, row.id],
    toItem: toManaged,
    cut: (limit, rows) => {
      const fitting = rows.filter(({ fits }) => fits === 1);
      const found = fitting.slice(0, limit);
      return { rows: found, last: fitting.length > limit ? found.at(-1) : rows.find(isLast) };
    },
  };
}

export function toLinkPage({ items: links, cursor, last }: ListPage<FilteredRow, ManagedLink>): LinkPage {
  return { links, cursor, scannedTo: last?.created_at ?? null };
}
