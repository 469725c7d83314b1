import { toManaged, type EditedRow, type ManagedLink } from '../managed-link.ts';
import { publishTargets, type LinkTiers, type NewState } from '../redirect/resolve.ts';
import { toTarget } from '../redirect/target-store.ts';

/** Publishes the written states under all addresses of their links. */
export async function publishLinks(
  tiers: Pick<LinkTiers, 'memory' | 'kv' | 'db'>,
  rows: readonly EditedRow[],
  now: number,
): Promise<void> {
  await publishTargets(tiers, rows.flatMap(statesOf), now);
}

/** Like `publishLinks`, for one link, which it returns. */
export async function publishLink(
  tiers: Pick<LinkTiers, 'memory' | 'kv' | 'db'>,
  row: EditedRow,
  now: number,
): Promise<ManagedLink> {
  await publishLinks(tiers, [row], now);
  return toManaged(row, now);
}

/** The target of all addresses of a link. */
export function statesOf(row: EditedRow): NewState[] {
  // If another domain serves the host now, it has other links there.
  if (row.domain_status === 'pending') return [];
  const [host, target] = [row.host ?? '', toTarget(row)];
  const aliases: readonly string[] = JSON.parse(row.aliases);
  return [row.slug, ...aliases].map((slug) => ({ address: { host, slug }, target }));
}
