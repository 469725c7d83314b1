import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { selectPresets } from '../presets/preset-store.ts';
import type { Preset } from '../presets/presets.ts';
import { selectColours } from '../tags/tag-store.ts';
import type { ColouredTag } from '../tags/tags.ts';
import { selectCampaignNames, type NameRow } from './campaigns.ts';

/** The named things of a client, for a page that lists its links. */
interface Choices {
  /** At most 300. */
  readonly campaigns: readonly string[];
  readonly tags: readonly ColouredTag[];
  readonly views: readonly Preset[];
}

/**
 * Lists the campaigns, tags and views of the actor's client, each in the order of the alphabet, in one round trip: the list
 * of links is opened often. Throws `store_unavailable`, and what `authorize` throws.
 */
export async function listChoices(db: Database, actor: Actor): Promise<Choices> {
  const now = Date.now();
  const [access, campaigns, tags, views] = await db.batch<[AccessRow, NameRow, ColouredTag, Preset]>([
    selectAccess(actor, 'links:read', now),
    selectCampaignNames(actor, now),
    selectColours(actor, now),
    selectPresets(actor, now, 'view'),
  ]);
  authorize(access, actor);
  return { campaigns: campaigns.map(({ name }) => name), tags, views };
}
