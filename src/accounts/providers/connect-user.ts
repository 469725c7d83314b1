import type { Database } from '../../database/database.ts';
import { findUserByName } from '../store.ts';
import * as store from './connect-user-store.ts';
import type { NamedProvider } from './provider.ts';

/** The operator's decision which user a person at a provider of the service is. */

/**
 * The outcome: `not_seen` is a provider by which no person has come yet, `no_client` a user without a client, whose account
 * no provider opens, and `taken` the name of another user who has the identity.
 */
type Connected = 'connected' | 'no_such_user' | 'not_seen' | 'no_client' | { readonly taken: string };

/**
 * Connects a user with the person whom a provider of the service knows by a subject, in place of the person before. The user
 * and the owners of their clients see it. The input is the operator's. Throws `store_unavailable`.
 */
export async function connectUser(
  db: Database,
  name: string,
  provider: NamedProvider,
  subject: string,
): Promise<Connected> {
  const user = await findUserByName(db, name);
  if (!user) return 'no_such_user';
  const named = await db.first<{ readonly id: string }>(store.selectNamed(provider));
  if (!named) return 'not_seen';
  const rows = await db.batch<store.HolderRow[]>(
    store.connectUser({ providerId: named.id, subject, userId: user.id }, Date.now()),
  );
  const [holder] = rows.at(-1) ?? [];
  if (!holder) return 'no_client';
  return holder.id === user.id ? 'connected' : { taken: holder.name };
}
