import type { LinkFilters } from './filters.ts';
import { actingParams, authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import { decodeCursor, encodeCursor, type Position } from '../../pagination.ts';
import type { Database } from '../../database.ts';
import { listSqlOf } from './list-sql.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed.ts';

export interface LinkPage {
  readonly links: readonly ManagedLink[];
  /** Where the list goes on, or null at its end. A page may be short, or empty, before that. */
  readonly cursor: string | null;
  /** When the last link was made that the page looked at, in milliseconds since the epoch; null at the list's end. */
  readonly lookedBackTo: number | null;
}

const BEGINNING: Position = [Number.MAX_SAFE_INTEGER, ''];

export interface LinkPageOptions {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the links of the actor's client, newest first, in one round trip. Throws `invalid_cursor`, `store_unavailable`,
 * and what `authorize` throws.
 */
export async function listLinks(
  db: Database,
  actor: Actor,
  filters: LinkFilters,
  { limit, cursor }: LinkPageOptions,
): Promise<LinkPage> {
  const bound = { ...filters, client_id: actor.clientId ?? undefined };
  const position = cursor === undefined ? BEGINNING : decodeCursor(bound, cursor);
  const now = Date.now();
  const { sql, params } = listSqlOf(filters, position, limit + 1);
  const [access, rows] = await db.batch<[AccessRow, ListedRow]>([
    selectAccess(actor, 'links:read', now),
    { sql, params: [...actingParams(actor, 'links:read', now), ...params] },
  ]);
  authorize(access, actor);
  const fitting = rows.filter(({ fits }) => fits === 1);
  const found = fitting.slice(0, limit);
  const last = fitting.length > limit ? found.at(-1) : rows.find(({ fits }) => fits === 0);
  return {
    links: found.map((row) => toManaged(row, now)),
    cursor: last ? encodeCursor(bound, positionOf(last)) : null,
    lookedBackTo: last?.created_at ?? null,
  };
}

type ListedRow = ManagedRow & { readonly fits: number };

function positionOf({ created_at: at, id }: ManagedRow): Position {
  return [at, id];
}
