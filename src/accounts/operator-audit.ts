import type { Statement } from '../database/database.ts';
import type { AuditAction } from './audit/actions.ts';
import { insertOperatorAudit } from './audit/write-audit.ts';
import type { Role } from './roles.ts';

/** The entries in the audit logs of clients about what the operator does with accounts. */

interface Changed {
  readonly id: string;
  readonly now: number;
}

/**
 * Records a change of a user in each client of theirs.
 *
 * @param details a JSON object, in SQL, of the member `m`
 * @param when whether the user `u` is changed, in SQL
 */
export function auditMember(action: AuditAction, { id, now }: Changed, details = 'NULL', when = 'true'): Statement {
  return insertOperatorAudit(now, {
    action,
    subjects: `SELECT m.client_id, u.id, u.name, ${details} FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.user_id = ?3 AND ${when}`,
    params: [id],
  });
}

/** Records that a user joins a client. Before the member is inserted, and after the client. */
export function auditJoin({ id, now }: Changed, clientId: string, role: Role | null): Statement {
  return insertOperatorAudit(now, {
    action: 'member.joined',
    subjects: `SELECT c.id, u.id, u.name, json_object('role', coalesce(?5, 'owner')) FROM clients c JOIN users u
      WHERE u.id = ?3 AND c.id = ?4 AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = ?3 AND client_id = ?4)
        AND NOT EXISTS (SELECT 1 FROM suspended_members WHERE client_id = ?4 AND (suspended_at IS NULL OR user_id = ?3))`,
    params: [id, clientId, role],
  });
}

/** Records that a member gets another role. Before the member is changed. */
export function auditRole({ id, now }: Changed, clientId: string, role: Role | null): Statement {
  return insertOperatorAudit(now, {
    action: 'member.role_changed',
    subjects: `SELECT m.client_id, u.id, u.name, json_object('role', ?5, 'former_role', m.role)
      FROM members m JOIN users u ON u.id = m.user_id WHERE u.id = ?3 AND m.client_id = ?4 AND m.role <> ?5`,
    params: [id, clientId, role],
  });
}

/** Records a key that was created at this instant. */
export function auditKey(id: string, now: number): Statement {
  return insertOperatorAudit(now, {
    action: 'key.created',
    subjects: `SELECT client_id, id, name, json_object('scopes', json('["' || replace(scopes, ' ', '","') || '"]'),
        'expires_at', strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch'))
      FROM api_keys WHERE id = ?3 AND created_at = ?1`,
    params: [id],
  });
}
