import { insertOperatorAudit } from '../accounts/audit/write-audit.ts';
import type { Statement } from '../database/database.ts';

/** The entries in the audit logs of clients about the operator's imports, blocked hosts and restores. */

/** Records an import of links, once. The entry has the id of the import, by which a repeated piece is known. */
export function auditImport(clientId: string, importId: string, now: number): Statement {
  return insertOperatorAudit(now, {
    action: 'client.imported',
    subjects: `SELECT id, id, name, json_object('import', ?4) FROM clients c WHERE id = ?3 AND NOT EXISTS (
        SELECT 1 FROM audit_entries e WHERE e.client_id = c.id AND e.action = 'client.imported' AND e.details ->> 'import' = ?4)`,
    params: [clientId, importId],
  });
}

/** Records in all clients that a backup has replaced all data, in the batch that ends the restore of this file. */
export function auditRestore(sha256: string, rows: number, now: number): Statement {
  return insertOperatorAudit(now, {
    action: 'client.data_restored',
    subjects: `SELECT id, id, name, NULL FROM clients
      WHERE EXISTS (SELECT 1 FROM restores WHERE sha256 = ?3 AND is_emptied = 1 AND next_row = ?4)`,
    params: [sha256, rows],
  });
}

/**
 * Records in some clients, whose links lead to a host, that the operator has blocked or unblocked it. The instant is that
 * of the command in the operator's log, so that a client whose links are on several pages gets one entry.
 */
export function auditHost(clients: readonly string[], host: string): Statement {
  return {
    sql: `WITH last AS (
        SELECT at, substr(replace(id, '-', ''), 1, 16) AS id, command FROM operator_log
        WHERE command IN ('block-host', 'unblock-host') AND subject = 'host=' || ?2 AND outcome IN ('begun', 'done')
        ORDER BY at DESC, id DESC LIMIT 1)
      INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, user_id, credential_kind,
        credential_id)
      SELECT value, last.at, last.id, CASE last.command WHEN 'block-host' THEN 'host.blocked' ELSE 'host.unblocked' END,
        ?2, ?2, '', 'operator', ''
      FROM json_each(?1) JOIN last WHERE true ON CONFLICT DO NOTHING`,
    params: [JSON.stringify(clients), host],
  };
}
