import { toManaged, type EditedRow, type ManagedLink } from './managed.ts';
import { publishTarget, type LinkTiers } from './resolve.ts';
import { toTarget } from './target-store.ts';

/** Makes the state that was written known under all addresses of a link, and gives it. */
export async function publishLink(
  tiers: Pick<LinkTiers, 'memory' | 'kv'>,
  row: EditedRow,
  now: number,
): Promise<ManagedLink> {
  const link = toManaged(row, now);
  // Whoever serves its host now, if anyone, has other links there.
  if (row.domain_status === 'pending') return link;
  const host = row.host ?? '';
  const addresses = [link.slug, ...link.aliases].map((slug) => ({ host, slug }));
  await publishTarget(tiers, addresses, toTarget(row), now);
  return link;
}
