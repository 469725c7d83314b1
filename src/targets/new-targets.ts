import { authorizeFirst, type Actor } from '../accounts/access.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Database } from '../database/database.ts';
import { refusalsBy, type TargetPolicy } from './policy.ts';

/**
 * Refuses URLs of a resource other than a link. The caller is authorised first, so that only a known one causes look-ups.
 *
 * @param urls by the name of their field, in the order in which they are refused
 * @throws `blocked_host`, and what `authorize` throws
 */
export async function refuseTargetsOf(
  db: Database,
  actor: Actor,
  permission: Permission,
  policy: TargetPolicy | null,
  urls: Readonly<Record<string, URL | null | undefined>>,
): Promise<void> {
  const given = Object.entries(urls).flatMap(([field, url]) => (url ? [{ field, url }] : []));
  if (policy === null || given.length === 0) return;
  await authorizeFirst(db, actor, permission);
  const refusal = (await refusalsBy(policy, given))(given);
  if (refusal) throw refusal;
}
