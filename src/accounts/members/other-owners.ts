import type { Database } from '../../database/database.ts';
import type { Session } from '../sessions/session.ts';
import { IS_IN_SESSION } from '../sessions/session-store.ts';

const MAX_NAMED = 20;

/**
 * The names of the other owners of the workspace that a session opens alone: they can remove its user. Empty for any other
 * session. Throws `store_unavailable`.
 */
export async function listOtherOwners(
  db: Database,
  { credential: { familyId, userId } }: Session,
): Promise<readonly string[]> {
  const [rows] = await db.batch<[{ readonly name: string }]>([
    {
      sql: `SELECT coalesce((
              SELECT i.name FROM identities i WHERE i.provider_id = f.provider_id AND i.user_id = u.id
            ), u.name) AS name
            FROM token_families f JOIN members own ON own.user_id = f.user_id AND own.client_id = f.client_id
            JOIN members m ON m.client_id = own.client_id AND m.user_id <> own.user_id AND m.role = 'owner'
            JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
            WHERE f.id = ?1 AND f.user_id = ?2 AND ${IS_IN_SESSION}
            ORDER BY m.created_at, m.user_id LIMIT ${MAX_NAMED}`,
      params: [familyId, userId, Date.now()],
    },
  ]);
  return rows.map(({ name }) => name);
}
