import { generateApiKey } from '../accounts/keys/api-key.ts';
import { createKey } from '../accounts/operator.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { refuseDeleted } from '../workspaces/daily.ts';

/**
 * Creates a key of a client for the operator, and returns it. Throws `not_found` if the client has no enabled user, and
 * `edit_conflict` if it is deleted.
 *
 * @param lifetimeMs null for one that does not expire
 * @param isListed whether the client's audit log has it
 */
export async function createClientKey(
  db: Database,
  clientId: string,
  name: string,
  lifetimeMs: number | null,
  key = generateApiKey(),
  isListed = true,
): Promise<ReturnType<typeof generateApiKey>> {
  await refuseDeleted(db, clientId);
  if (await createKey(db, clientId, name, lifetimeMs, key, isListed)) return key;
  throw new AppError('not_found', `The client ${clientId} has no enabled user: add one first.`);
}
