import type { Param, Statement } from '../../database/database.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import type { Credential } from '../grants.ts';
import type { Permission } from '../scopes.ts';
import type { AuditAction } from './actions.ts';

/** A change, as the audit log records it. */
export interface AuditedChange {
  readonly action: AuditAction;
  /**
   * A SELECT of `client_id, id, name, details` under `ACTING`, with a row for each thing that is changed and no row if
   * nothing is. `name` is the thing's name for people, or NULL; `details` is a JSON object, or NULL.
   */
  readonly subjects: string;
  /** The parameters of `subjects`, from ?8 on. */
  readonly params: readonly Param[];
}

/**
 * Records a change, in the batch that makes it. Before an UPDATE or DELETE, `subjects` takes the conditions of that
 * statement; after an INSERT, it looks for the new id. In both cases the log says what took place, and nothing else.
 */
export function insertAudit(
  actor: Actor,
  permission: Permission,
  nowMs: number,
  { action, subjects, params }: AuditedChange,
): Statement {
  return { sql: auditSql(action, subjects), params: [...actingParams(actor, permission, nowMs), ...params] };
}

const KIND_BY_USE = { access: 'access_token', api: 'api_token', session: 'session', oauth: 'oauth' } as const;

// ?1 is the id of a key, ?2 the use of a token and ?3 its sign-in, which name credentials and are none.
const KIND = `iif(?1 IS NOT NULL, 'api_key', CASE ?2 ${Object.entries(KIND_BY_USE)
  .map(([use, kind]) => `WHEN '${use}' THEN '${kind}'`)
  .join(' ')} END)`;

/** The SQL of `insertAudit`, for statements that are made once. Its parameters are those of `ACTING`, and of `subjects`. */
export const auditSql = (action: AuditAction, subjects: string): string => `${ACTING},
  subject (client_id, id, name, details) AS (${subjects})
  INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
    credential_kind, credential_id)
  SELECT s.client_id, ?5, lower(hex(randomblob(8))), '${action}', s.id, s.name, s.details, a.user_id, ${KIND}, coalesce(?1, ?3)
  FROM subject s JOIN acting a ON a.client_id = s.client_id
  WHERE a.client_id = ${SOLE_CLIENT}`;

/**
 * The end of a statement that records a change made by the service itself. The common table expression `subject
 * (client_id, id, name, action)` before it holds a row for each thing that is about to be changed. `at` is the
 * parameter that holds the time.
 *
 * @param details a JSON object, in SQL
 */
export const insertServiceAudit = (at: string, details = 'NULL') => `
  INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
    credential_kind, credential_id)
  SELECT client_id, ${at}, lower(hex(randomblob(8))), action, id, name, ${details}, '', 'service', '' FROM subject`;

/**
 * Records a change by the operator's tools, in the batch that makes it, in the audit log of each client that it concerns.
 * `subjects` is as in `insertAudit`, without `ACTING`: it has ?1, the time, and its parameters from ?3 on.
 */
export function insertOperatorAudit(nowMs: number, { action, subjects, params }: AuditedChange): Statement {
  return {
    sql: `WITH subject (client_id, id, name, details) AS (${subjects})
      INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
        credential_kind, credential_id)
      SELECT client_id, ?1, lower(hex(randomblob(8))), ?2, id, name, details, '', 'operator', '' FROM subject`,
    params: [nowMs, action, ...params],
  };
}

/** For the daily clean-up. Client by client, which is the order of the table's primary key. */
export function deleteAuditBefore(at: number): Statement {
  return {
    sql: `DELETE FROM audit_entries WHERE client_id IN (SELECT id FROM clients) AND created_at < ?1`,
    params: [at],
  };
}

/** The name of a credential's kind, in the audit log and in answers. */
export const kindOf = (credential: Credential) =>
  credential.kind === 'api_key' ? credential.kind : KIND_BY_USE[credential.use];

const MAX_ENTRIES = 10_000;

/** For the daily clean-up: deletes a client's entries except the newest 10,000. */
export function deleteSurplusAudit(): Statement {
  return {
    sql: `DELETE FROM audit_entries WHERE (client_id, created_at, id) IN (
            SELECT client_id, created_at, id FROM (
              SELECT client_id, created_at, id, row_number() OVER (
                PARTITION BY client_id ORDER BY created_at DESC, id DESC) AS place
              FROM audit_entries)
            WHERE place > ${MAX_ENTRIES})`,
    params: [],
  };
}
