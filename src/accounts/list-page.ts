import type { Database, Statement } from '../database/database.ts';
import type { AppError } from '../errors.ts';
import { cutPage, encodeCursor, type Cut, type Page, type Position } from '../input/pagination.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from './access.ts';
import type { Permission } from './scopes.ts';

/** A list that an actor may read. */
export interface List<Row, Item> {
  readonly permission: Permission;
  /** Selects the rows, and one more than the page holds if there is a next page. */
  readonly select: (nowMs: number) => Statement;
  readonly positionOf: (row: Row) => Position;
  readonly toItem: (row: Row, nowMs: number) => Item;
  /** Cuts the page from the rows, if some of them were only read to find the start of the next page. */
  readonly cut?: (limit: number, rows: readonly Row[]) => Cut<Row>;
  /** The one thing whose list it is, such as the link of a history. */
  readonly subject?: {
    /** Selects a row if the actor may see the thing. */
    readonly select: (nowMs: number) => Statement;
    readonly notFound: () => AppError;
    /** True if the thing itself says which of several clients is selected. */
    readonly namesClient?: boolean;
  };
}

export interface ListPage<Row, Item> {
  readonly items: readonly Item[];
  /** The start of the next page, or null at the end of the list. */
  readonly cursor: string | null;
  /** The last row before the next page, or null at the end of the list. */
  readonly last: Row | null;
}

/** Reads a page of a list in one round trip. Throws `notFound` of its subject, and what `authorize` throws. */
export async function listPage<Row, Item>(
  db: Database,
  actor: Actor,
  page: Page,
  { permission, select, positionOf, toItem, cut = cutPage, subject }: List<Row, Item>,
): Promise<ListPage<Row, Item>> {
  const nowMs = Date.now();
  const [access, selected, subjects] = await db.batch<[AccessRow, Row, unknown]>([
    selectAccess(actor, permission, nowMs),
    select(nowMs),
    ...(subject ? [subject.select(nowMs)] : []),
  ]);
  authorize(access, actor, { several: subject?.namesClient ?? false });
  if (subject && subjects.length === 0) throw subject.notFound();
  const { rows, last } = cut(page.limit, selected);
  return {
    items: rows.map((row) => toItem(row, nowMs)),
    cursor: last === undefined ? null : encodeCursor(page.filters, positionOf(last)),
    last: last ?? null,
  };
}
