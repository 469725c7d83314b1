import type { Statement } from '../../database/database.ts';
import { deleteMarked } from './delete-account-store.ts';
import { NO_PASSWORD } from './password.ts';

/** The SQL by which users go with the client whose provider has made them. */

/** True if the deletion of the client ?1 was not undone. */
const IS_DELETED = 'EXISTS (SELECT 1 FROM deletions WHERE client_id = ?1 AND undone_at IS NULL)';

/** True if all that the user `u` has is the client ?1 and the identities at its providers. */
const HAS_NOTHING_ELSE = `u.password_hash = '${NO_PASSWORD}' AND ${IS_DELETED}
  AND EXISTS (
    SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id WHERE i.user_id = u.id AND p.client_id = ?1)
  AND NOT EXISTS (
    SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id WHERE i.user_id = u.id AND p.client_id IS NOT ?1)
  AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = u.id AND client_id <> ?1)
  AND NOT EXISTS (SELECT 1 FROM suspended_members WHERE user_id = u.id AND client_id <> ?1)`;

/** The most users that are removed in one batch. */
export const AT_ONCE = 200;

export interface PersonRow {
  readonly user_id: string;
}

export function selectPeople(clientId: string): Statement {
  return {
    sql: `SELECT DISTINCT u.id AS user_id
          FROM providers p JOIN identities i ON i.provider_id = p.id JOIN users u ON u.id = i.user_id
          WHERE p.client_id = ?1 AND ${HAS_NOTHING_ELSE} LIMIT ${AT_ONCE}`,
    params: [clientId],
  };
}

/** Deletes some of these users, as far as they still have nothing else. */
export function deletePeople(clientId: string, userIds: readonly string[]): Statement[] {
  const ids = JSON.stringify(userIds);
  return [
    {
      sql: `UPDATE users AS u SET password_hash = ''
            WHERE u.id IN (SELECT value FROM json_each(?2)) AND ${HAS_NOTHING_ELSE}`,
      params: [clientId, ids],
    },
    ...deleteMarked('(SELECT value FROM json_each(?1))', ids),
  ];
}
