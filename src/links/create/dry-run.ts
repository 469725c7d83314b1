import type { Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { slugTaken } from '../edit/edit-refusals.ts';
import { importLinks } from '../import/import.ts';
import type { NewLink } from './new-link.ts';

/**
 * Checks whether a create would be refused, and creates nothing. One round trip. Throws `own_host`, `unknown_domain`,
 * `slug_taken`, `store_unavailable`, and what `authorize` throws.
 */
export async function dryRunCreate(db: Database, actor: Actor, { input, content }: NewLink): Promise<void> {
  const row = {
    slug: input.slug ?? null,
    aliases: [],
    customDomain: input.custom_domain ?? null,
    ...content,
    createdAt: null,
    disabled: false,
    hasPassword: false,
    clicksLeft: null,
    newDisabled: false,
    newMaxClicks: content.maxClicks,
    faults: [],
  };
  const [result] = await importLinks({ db }, actor, [{ number: 1, content: row }], { dryRun: true });
  // An import accepts an equal link that exists already, and says of another how it differs; a create does neither.
  const isTaken = result?.status === 'unchanged' || (result?.status === 'error' && result.error.code === 'slug_taken');
  if (isTaken && row.slug !== null) throw slugTaken(row.slug);
  if (result?.status === 'error') throw result.error;
}
