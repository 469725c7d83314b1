import type { LinkLimits } from '../../link-limit/limits.ts';
import { logProblem } from '../../isolate/log.ts';
import { toManaged, type EditedRow, type ManagedLink } from '../managed-link.ts';
import type { LinkTiers } from '../redirect/resolve.ts';
import { toTarget } from '../redirect/target-store.ts';
import { publishTargets, type NewEntry } from '../redirect/write-entries.ts';
import type { Edit } from './edit-store.ts';

type PublishTiers = Pick<LinkTiers, 'memory' | 'kv' | 'db'>;

/** Publishes the new state of an edited link and the end of the addresses that it had, and returns the link. */
export async function publishEdit(
  tiers: PublishTiers & { readonly limits: LinkLimits },
  { before }: Pick<Edit, 'before'>,
  row: EditedRow,
  now: number,
): Promise<ManagedLink> {
  if (row.max_clicks !== before.max_clicks) await publishLimit(tiers.limits, row);
  const states = statesOf(row);
  const present = new Set(states.map(({ address }) => address.slug));
  const former = present.size === 0 ? [] : [before.slug, ...JSON.parse(before.aliases)];
  const ends = former.flatMap((slug) =>
    present.has(slug) ? [] : [{ address: { host: row.host ?? '', slug }, target: null }],
  );
  await publishTargets(tiers, [...states, ...ends], now);
  return toManaged(row, now);
}

/** Publishes the written states under all addresses of their links. */
export async function publishLinks(tiers: PublishTiers, rows: readonly EditedRow[], now: number): Promise<void> {
  await publishTargets(tiers, rows.flatMap(statesOf), now);
}

/** The target of all addresses of a link. */
export function statesOf(row: EditedRow): NewEntry[] {
  // If another domain serves the host now, it has other links there.
  if (row.domain_status === 'pending') return [];
  const [host, target] = [row.host ?? '', toTarget(row)];
  const aliases: readonly string[] = JSON.parse(row.aliases);
  return [row.slug, ...aliases].map((slug) => ({ address: { host, slug }, target }));
}

/** Lets a change of the click limit hold at once, for isolates that do not know it yet too. */
async function publishLimit(limits: LinkLimits, row: EditedRow): Promise<void> {
  const { id, max_clicks: max, revision, limited_at, created_at } = row;
  const edit = max === null ? { max, revision } : { max, since: limited_at ?? created_at, revision };
  await limits.set(id, edit).catch((cause: unknown) => logProblem('limit_not_published', cause, { link_id: id }));
}
