import type { Database, Statement } from '../../database/database.ts';
import type { Address, Target } from '../link.ts';
import { keysOf } from '../slugs/slug.ts';
import { targetColumns, toTarget, type TargetRow } from './target-store.ts';
import { SELECT_UNWRITTEN, type UnwrittenRow } from './unwritten-entries.ts';

/** Finds the targets of some addresses, in their order. */
export async function findTargets(db: Database, addresses: readonly Address[]): Promise<(Target | null)[]> {
  const [rows] = await db.batch<[PositionedRow]>([selectTargets(addresses)]);
  return inOrder(addresses, rows);
}

/** Like `findTargets`, with the keys of KV that may have an old state, in the same round trip. */
export async function findTargetsToCheck(
  db: Database,
  addresses: readonly Address[],
): Promise<{ readonly targets: readonly (Target | null)[]; readonly unwritten: UnwrittenRow | undefined }> {
  const [rows, [unwritten]] = await db.batch<[PositionedRow, UnwrittenRow]>([
    selectTargets(addresses),
    SELECT_UNWRITTEN,
  ]);
  return { targets: inOrder(addresses, rows), unwritten };
}

type PositionedRow = TargetRow & { readonly position: number };

function selectTargets(addresses: readonly Address[]): Statement {
  return {
    sql: `SELECT address.key AS position, ${targetColumns('links')} FROM json_each(?1) AS address
            JOIN links ON links.id = (
              SELECT link_id FROM addresses
              WHERE folded IN (address.value ->> 'folded', address.value ->> 'exact', address.value ->> 'former')
                AND slug = address.value ->> 'slug' AND domain_id = CASE WHEN address.value ->> 'host' = '' THEN ''
                  ELSE (SELECT id FROM domains WHERE host = address.value ->> 'host' AND status <> 'pending') END)`,
    params: [JSON.stringify(addresses.map(toItem))],
  };
}

function inOrder(addresses: readonly Address[], rows: readonly PositionedRow[]): (Target | null)[] {
  const found = new Map(rows.map((row) => [row.position, toTarget(row)]));
  return addresses.map((_, position) => found.get(position) ?? null);
}

function toItem({ host, slug }: Address) {
  return { host, slug, ...keysOf(slug) };
}
