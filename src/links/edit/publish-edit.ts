import type { LinkLimits } from '../../link-limit/limits.ts';
import { logProblem } from '../../isolate/log.ts';
import type { EditedRow, ManagedLink } from '../managed-link.ts';
import { keyOf } from '../redirect/cache.ts';
import type { LinkTiers } from '../redirect/resolve.ts';
import { writeEntries } from '../redirect/write-entries.ts';
import type { Edit } from './edit-store.ts';
import { publishLink } from './publish.ts';

/** What a published edit writes to besides the database. */
type PublishTiers = Pick<LinkTiers, 'kv' | 'memory' | 'db'> & { readonly limits: LinkLimits };

/** Publishes the new state of an edited link, and returns the link. */
export async function publishEdit(
  tiers: PublishTiers,
  { before, released }: Pick<Edit, 'before' | 'released'>,
  row: EditedRow,
  now: number,
): Promise<ManagedLink> {
  const former = released.filter((slug) => slug !== before.slug);
  if (row.domain_status !== 'pending' && former.length > 0) await forget(tiers, row.host ?? '', former);
  if (row.max_clicks !== before.max_clicks) await publishLimit(tiers, row);
  return publishLink(tiers, row, now);
}

/** Lets a change of the click limit hold at once, for isolates that do not know it yet too. */
async function publishLimit({ limits }: PublishTiers, row: EditedRow): Promise<void> {
  const { id, max_clicks: max, revision, limited_at, created_at } = row;
  const edit = max === null ? { max, revision } : { max, since: limited_at ?? created_at, revision };
  await limits.set(id, edit).catch((cause: unknown) => logProblem('limit_not_published', cause, { link_id: id }));
}

async function forget({ memory, kv, db }: PublishTiers, host: string, slugs: readonly string[]) {
  const former = slugs.map((slug) => ({ address: { host, slug }, target: null }));
  for (const { address } of former) memory.targets.forget(keyOf(address));
  await writeEntries({ kv, db, unwritten: memory.unwritten }, former, Date.now());
}
