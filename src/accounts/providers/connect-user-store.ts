import type { Statement } from '../../database/database.ts';
import { insertNotices, ownersOf } from '../../mail/notice-sql.ts';
import { insertOperatorAudit } from '../audit/write-audit.ts';
import type { NamedProvider } from './provider.ts';

/** The SQL by which the operator connects a user with an identity at a provider of the service. */

export function selectNamed({ kind, issuer, application }: NamedProvider): Statement {
  return {
    sql: `SELECT id FROM providers WHERE client_id IS NULL AND kind = ?1 AND issuer = ?2 AND application = ?3`,
    params: [kind, issuer, application],
  };
}

interface Connection {
  readonly providerId: string;
  readonly subject: string;
  readonly userId: string;
}

/** True if the first statement has just inserted the identity, by the numbers of the parameters. */
const isNew = (provider: number, subject: number, user: number, now: number) => `EXISTS (
    SELECT 1 FROM identities WHERE provider_id = ?${provider} AND subject = ?${subject} AND user_id = ?${user}
      AND created_at = ?${now})`;

export interface HolderRow {
  readonly id: string;
  readonly name: string;
}

/**
 * Gives a user who belongs to a client the identity, unless it is another user's; with the former identity there its
 * sessions end, and programs keep working. The last statement returns the user who has the identity then.
 */
export function connectUser({ providerId, subject, userId }: Connection, now: number): Statement[] {
  const params = [providerId, subject, now, userId];
  const noticed = [userId, providerId, subject];
  return [
    {
      // The address stays known until the provider sends the next one.
      sql: `INSERT INTO identities (provider_id, subject, user_id, name, email, created_at, confirmed_at)
            SELECT ?1, ?2, u.id, i.name, i.email, ?3, ?3
            FROM users u LEFT JOIN identities i ON i.provider_id = ?1 AND i.user_id = u.id
            WHERE u.id = ?4 AND (EXISTS (SELECT 1 FROM members WHERE user_id = ?4)
              OR EXISTS (SELECT 1 FROM suspended_members WHERE user_id = ?4))
            ON CONFLICT DO NOTHING`,
      params,
    },
    {
      sql: `DELETE FROM identities WHERE provider_id = ?1 AND user_id = ?4 AND subject <> ?2 AND ${isNew(1, 2, 4, 3)}`,
      params,
    },
    {
      sql: `UPDATE token_families SET ended_at = ?3
            WHERE user_id = ?4 AND provider_id = ?1 AND ended_at IS NULL AND id IN (SELECT family_id FROM sessions)
              AND ${isNew(1, 2, 4, 3)}`,
      params,
    },
    insertOperatorAudit(now, {
      action: 'member.identity_changed',
      subjects: `SELECT m.client_id, u.id, u.name, NULL FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.user_id = ?3 AND ${isNew(4, 5, 3, 1)}`,
      params: noticed,
    }),
    insertNotices(now, {
      kind: 'identity_changed',
      people: `SELECT id AS user_id, NULL AS client_id, NULL AS details FROM users
        WHERE id = ?4 AND ${isNew(5, 6, 4, 2)}`,
      params: noticed,
    }),
    insertNotices(now, {
      kind: 'identity_changed',
      people: `SELECT * FROM (${ownersOf('SELECT client_id FROM members WHERE user_id = ?4')})
        WHERE user_id <> ?4 AND ${isNew(5, 6, 4, 2)}`,
      params: noticed,
    }),
    {
      sql: `SELECT u.id, u.name FROM identities i JOIN users u ON u.id = i.user_id
            WHERE i.provider_id = ?1 AND i.subject = ?2`,
      params: [providerId, subject],
    },
  ];
}
