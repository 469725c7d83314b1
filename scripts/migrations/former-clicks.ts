import { UsageError } from '../cli-error.ts';
import type { Schema } from './legacy.ts';

/**
 * Clicks that version 1.2.0 and older ones have counted in the database. Version 1.3.0 copies them to the objects of their
 * clients; the migration that drops them is applied when all are there.
 */

export const DROPS_FORMER_CLICKS = '0020_former_clicks.sql';

/** The version that moves them, for a sentence. */
export const MOVER =
  'version 1.3.0 (the commit "chore: release 1.3.0"), which moves them, as docs/self-hosting.md says';

const MAX_NAMES = 3;

/**
 * Throws a `UsageError` that names clients whose clicks are not moved.
 *
 * @param select runs a query
 */
export async function refuseUnmoved(
  select: (sql: string) => Promise<readonly unknown[]>,
  { columns }: Schema,
): Promise<void> {
  const tables = new Set(columns.map(({ table }) => table));
  if (!tables.has('click_days')) return;
  const rows = (await select(selectUnmoved(tables.has('statistics_moves')))) as { readonly id: string }[];
  if (rows.length === 0) return;
  throw new UsageError(
    `The clicks that version 1.2.0 or an older one has counted are not moved yet (of ${namesOf(rows.map(({ id }) => id))}), ` +
      `and nothing was changed: run ${MOVER}, until this command no longer says so.`,
  );
}

/** The first of some clients, for a sentence. */
export function namesOf(clients: readonly string[]): string {
  return [...clients.slice(0, MAX_NAMES), ...(clients.length > MAX_NAMES ? ['others'] : [])].join(', ');
}

// Version 1.2.0 and older ones do not have the table of what is moved.
function selectUnmoved(hasMoves: boolean): string {
  const moved = 'SELECT 1 FROM statistics_moves WHERE client_id = c.id AND is_moved = 1';
  return `SELECT id FROM clients AS c WHERE EXISTS (SELECT 1 FROM click_days WHERE client_id = c.id)
    ${hasMoves ? `AND NOT EXISTS (${moved})` : ''} ORDER BY id LIMIT ${MAX_NAMES + 1}`;
}
