import type { Database } from '../../database/database.ts';
import * as store from './suspension-store.ts';

/** The memberships of a person whom a provider knows: a refusal suspends them, a confirmation restores them. */

/**
 * Suspends the memberships of a person whom the provider has refused, with their keys, application passwords and grants.
 * The last owner of a client stays. Throws `store_unavailable`.
 *
 * @param token the sealed refresh token that the provider has refused: a newer one means that the person has signed in since
 */
export async function suspendMember(
  db: Database,
  providerId: string,
  subject: string,
  { now = Date.now(), token = null }: { readonly now?: number; readonly token?: string | null } = {},
): Promise<void> {
  await db.batch(store.suspendRefused({ providerId, subject }, now, token));
}

/** Notes a confirmation by the provider, and restores what it has suspended. Throws `store_unavailable`. */
export async function confirmMember(
  db: Database,
  providerId: string,
  subject: string,
  now = Date.now(),
): Promise<void> {
  await db.batch(store.confirm({ providerId, subject }, now));
}
