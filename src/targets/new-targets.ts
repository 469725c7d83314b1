import { authorizeCreator, authorizeFirst, type Actor } from '../accounts/access.ts';
import type { Credential } from '../accounts/grants.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Database } from '../database/database.ts';
import type { Destination } from './destination.ts';
import { allowAll, refusalsBy, type Refusals, type TargetPolicy } from './policy.ts';

/** Applies the policy to new targets. The caller is authorised first, so that only a known caller causes look-ups. */

/**
 * Returns a function that gives the error of a link to be created for its destinations. Throws `invalid_credential`,
 * `insufficient_scope`.
 *
 * @param destinations those of all links
 */
export async function refusalsOfNewTargets(
  db: Database,
  credential: Credential,
  policy: TargetPolicy,
  destinations: readonly Destination[],
): Promise<Refusals> {
  if (policy === allowAll || destinations.length === 0) return () => null;
  await authorizeCreator(db, credential);
  return refusalsBy(policy, destinations);
}

/** Refuses the destinations of a link to be created. Throws `blocked_host`, and what `refusalsOfNewTargets` throws. */
export async function refuseNewTargets(
  db: Database,
  credential: Credential,
  policy: TargetPolicy,
  destinations: readonly Destination[],
): Promise<void> {
  const refusal = (await refusalsOfNewTargets(db, credential, policy, destinations))(destinations);
  if (refusal) throw refusal;
}

/**
 * Refuses URLs of a resource other than a link.
 *
 * @param urls by the name of their field, in the order in which they are refused
 * @throws `blocked_host`, and what `authorize` throws
 */
export async function refuseTargetsOf(
  db: Database,
  actor: Actor,
  permission: Permission,
  policy: TargetPolicy,
  urls: Readonly<Record<string, URL | null | undefined>>,
): Promise<void> {
  const given = Object.entries(urls).flatMap(([field, url]) => (url ? [{ field, url }] : []));
  if (policy === allowAll || given.length === 0) return;
  await authorizeFirst(db, actor, permission);
  const refusal = (await refusalsBy(policy, given))(given);
  if (refusal) throw refusal;
}
