import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import type { Link, Target } from './link.ts';
import { publishTarget, type LinkTiers } from './resolve.ts';
import { findLinkForInfo, updateTarget, type TargetChange } from './store.ts';

/** What an owner learns of a link besides its record. */
export interface LinkInfo {
  readonly link: Link;
  readonly clicks: number;
}

/**
 * Gets the link that all three ids name. Whatever does not match, and whatever belongs to another client, is the same
 * `not_found`: whether it exists does not show. Throws `invalid_credential`, `not_found`, `store_unavailable`.
 */
export async function getLinkInfo(
  db: Database,
  credential: Credential,
  ids: { readonly id: string; readonly clientId: string; readonly secId: string },
): Promise<LinkInfo> {
  const { credentialOk, found } = await findLinkForInfo(db, credential, ids);
  if (!credentialOk) {
    throw new AppError('invalid_credential', 'The sign-in behind this token has ended. Sign in again for a new one.');
  }
  if (!found) throw linkNotFound();
  return found;
}

/**
 * Changes where a link leads, or whether it does. The new state is what the very next request to this isolate sees.
 * Throws `not_found`, `store_unavailable`.
 */
export async function changeTarget(
  tiers: Pick<LinkTiers, 'db' | 'kv' | 'memory'>,
  credential: Credential,
  id: string,
  change: TargetChange,
): Promise<Target> {
  const changed = await updateTarget(tiers.db, credential, id, change);
  if (!changed) throw linkNotFound();
  await publishTarget(tiers, changed.addresses, changed.target);
  return changed.target;
}

function linkNotFound(): AppError {
  return new AppError('not_found', 'No link of your clients has this id, client_id and sec_id.');
}
