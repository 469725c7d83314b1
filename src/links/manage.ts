import type { Credential } from '../accounts/grants.ts';
import {
  selectLinkClicks,
  toLinkClicks,
  type ClickDayRow,
  type LinkClicks,
  type VisitorsRow,
} from '../clicks/link-clicks.ts';
import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import type { Link, Target } from './link.ts';
import { publishTarget, type LinkTiers } from './resolve.ts';
import { selectLinkForInfo, toLink, updateTarget, type InfoRow, type TargetChange } from './store.ts';

/** What an owner learns of a link besides its record. */
export interface LinkInfo {
  readonly link: Link;
  readonly clicks: LinkClicks;
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
  const now = Date.now();
  const [selected, days, visitors] = await db.batch<[InfoRow, ClickDayRow, VisitorsRow]>([
    selectLinkForInfo(credential, ids, now),
    ...selectLinkClicks(credential, ids, now),
  ]);
  const [row] = selected;
  if (!row?.credential_ok) {
    throw new AppError('invalid_credential', 'The sign-in behind this token has ended. Sign in again for a new one.');
  }
  if (row.id === null) throw linkNotFound();
  return { link: toLink(row), clicks: toLinkClicks(days, visitors, now) };
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
