import { authorizeCreator, authorizeFirst, type Actor } from '../accounts/access.ts';
import type { Credential } from '../accounts/grants.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Database } from '../database.ts';
import type { AppError } from '../errors.ts';
import { blockedHost } from './blocklist.ts';
import { allowAll, type TargetPolicy } from './policy.ts';

/** Applies the policy to new targets. The caller is authorised first, so that only a known caller causes look-ups. */

/**
 * Returns a function that gives the error of each target of links to be created. Throws `invalid_credential`,
 * `insufficient_scope`.
 */
export async function refusalsOfNewTargets(
  db: Database,
  credential: Credential,
  policy: TargetPolicy,
  targets: readonly URL[],
): Promise<(target: URL) => AppError | null> {
  if (policy === allowAll || targets.length === 0) return () => null;
  await authorizeCreator(db, credential);
  return policy(targets);
}

/** Refuses the target of a link to be created. Throws `blocked_host`, and what `refusalsOfNewTargets` throws. */
export async function refuseNewTarget(
  db: Database,
  credential: Credential,
  policy: TargetPolicy,
  target: URL,
): Promise<void> {
  const refusalOf = await refusalsOfNewTargets(db, credential, policy, [target]);
  const refusal = refusalOf(target);
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
  const refusalOf = await policy(given.map(({ url }) => url));
  const refused = given.find(({ url }) => refusalOf(url));
  if (refused) throw blockedHost(refused.field);
}
