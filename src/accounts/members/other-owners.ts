import type { Database } from '../../database/database.ts';
import type { Session } from '../sessions/session.ts';
import { IS_IN_SESSION } from '../sessions/session-store.ts';
import { givenName, toGivenName, type GivenName } from './given-name.ts';

const MAX_NAMED = 20;

/** An owner by name, and by that which a provider gives to one who has none of their own. */
export interface OtherOwner {
  readonly name: string;
  readonly given: GivenName | null;
}

/**
 * The names of the other owners of the workspace that a session opens alone: they can remove its user. Empty for any other
 * session. Throws `store_unavailable`.
 */
export async function listOtherOwners(
  db: Database,
  { credential: { familyId, userId } }: Session,
): Promise<readonly OtherOwner[]> {
  const [rows] = await db.batch<[{ readonly name: string; readonly given: string | null }]>([
    {
      sql: `SELECT u.name, ${givenName({ id: 'u.id', name: 'u.name', client: 'm.client_id' })} AS given
            FROM token_families f JOIN members own ON own.user_id = f.user_id AND own.client_id = f.client_id
            JOIN members m ON m.client_id = own.client_id AND m.user_id <> own.user_id AND m.role = 'owner'
            JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
            WHERE f.id = ?1 AND f.user_id = ?2 AND ${IS_IN_SESSION}
            ORDER BY m.created_at, m.user_id LIMIT ${MAX_NAMED}`,
      params: [familyId, userId, Date.now()],
    },
  ]);
  return rows.map(({ name, given }) => ({ name, given: toGivenName(given) }));
}
