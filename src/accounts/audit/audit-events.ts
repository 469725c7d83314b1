import type { Param, Statement } from '../../database/database.ts';
import { insertAuditedEvents } from '../../events/record.ts';
import type { EventType } from '../../events/types.ts';
import type { AuditAction } from './actions.ts';

const TYPE_OF: Partial<Record<AuditAction, EventType>> = {
  'key.created': 'key.created',
  'key.rolled': 'key.revoked',
  'key.revoked': 'key.revoked',
  'domain.verified': 'domain.verified',
  'domain.recovered': 'domain.verified',
  'domain.lost': 'domain.lost',
  'domain.taken_over': 'domain.lost',
};

const TYPE = `CASE a.action ${Object.entries(TYPE_OF)
  .map(([action, type]) => `WHEN '${action}' THEN '${type}'`)
  .join(' ')} END`;

const REASON = `substr(a.action, instr(a.action, '.') + 1)`;

const instantOf = (at: string) =>
  `strftime('%Y-%m-%dT%H:%M:%S', ${at} / 1000, 'unixepoch') || printf('.%03dZ', ${at} % 1000)`;

const KEY = `json_object('id', a.subject_id, 'name', a.subject_name, 'reason', ${REASON},
    'scopes', json('["' || replace(k.scopes, ' ', '","') || '"]'), 'created_at', ${instantOf('k.created_at')},
    'expires_at', ${instantOf('k.expires_at')})`;

const STATUS = `CASE ${REASON} WHEN 'lost' THEN 'lost' WHEN 'taken_over' THEN 'pending' ELSE 'active' END`;
const DOMAIN = `json_object('id', a.subject_id, 'host', a.subject_name, 'reason', ${REASON}, 'status', ${STATUS})`;

/**
 * Records the events about keys and domains that entries of the audit log record, after these in their batch and before
 * keys are deleted. The id of an event is derived from that of its entry, so that it is recorded once.
 *
 * @param at the instant of the entries
 * @param clients a SELECT of the ids of clients that may have such entries, with `params` from ?2 on
 */
export function recordAudited(at: number, clients: string, params: readonly Param[]): Statement {
  const sql = insertAuditedEvents({
    type: TYPE,
    data: `CASE WHEN k.id IS NULL THEN ${DOMAIN} ELSE ${KEY} END`,
    from: `FROM audit_entries a LEFT JOIN api_keys k ON k.id = a.subject_id
      WHERE a.client_id IN (${clients}) AND a.created_at = ?1 AND (k.id IS NOT NULL OR a.action LIKE 'domain.%')`,
  });
  return { sql, params: [at, ...params], returnsEvents: true };
}
