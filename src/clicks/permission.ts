import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import { invalidCredential } from '../accounts/refusals.ts';
import type { Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Subject } from '../statistics/questions/questions.ts';
import { quote } from '../text/quote.ts';

/** Who may ask about clicks: the database says so in the batch that reads them. */

/** The error sentence for a deleted link, which only its own client sees. */
export const LINK_DELETED =
  'This link has been deleted. Within 30 days of its deletion, POST /v1/links/{id}/restore restores it.';

/** The check by the database that a caller may read the clicks of a subject. */
export interface Permission {
  /** Selects the row by which it is decided. */
  readonly select: Statement;
  /** Returns the client whose the clicks are. Throws if the caller may not ask. */
  readonly decide: (row: object | undefined) => string;
}

/** The permission of a credential, as `readDays` describes it. */
export function permissionOf(
  credential: Credential,
  subject: Subject,
  clientId: string | undefined,
  areLinksKnown: boolean,
): Permission {
  const checked = areLinksKnown ? 'known links' : subject.kind;
  const params = [...grantParams(credential, Date.now()), clientId ?? null, checked, namesOf(subject)];
  return {
    select: { sql: SELECT_ACCESS, params },
    decide: (row) => permitted(row as AccessRow | undefined, subject, clientId),
  };
}

/** The names that are asked about, as a JSON list. */
function namesOf(subject: Subject): string {
  if (subject.kind === 'client') return '[]';
  return JSON.stringify(subject.kind === 'links' ? subject.names : [subject.name]);
}

interface AccessRow {
  readonly credential_ok: number;
  readonly clients: number;
  readonly client_id: string | null;
  readonly scope_ok: number;
  /** 1 if the requested link is the client's own and was deleted. */
  readonly is_deleted: number;
  /** The first of several requested links that the client does not have. */
  readonly unknown_link: string | null;
}

/** The client that is asked about, and the same if the caller may ask; each has a row with null otherwise. */
export const ASKED = `${GRANTS},
  asked AS MATERIALIZED (
    SELECT CASE
      WHEN ?7 = 'link' THEN (
        SELECT client_id FROM links
        WHERE id = ?8 ->> 0 AND deleted_at IS NULL AND client_id IN (SELECT client_id FROM grants)
          AND client_id = coalesce(?6, client_id))
      WHEN ?6 IS NOT NULL THEN (SELECT client_id FROM grants WHERE client_id = ?6)
      WHEN (SELECT count(client_id) FROM grants) = 1 THEN (SELECT client_id FROM grants)
    END AS id
  ),
  permitted AS MATERIALIZED (
    SELECT (
      SELECT client_id FROM grants WHERE client_id = asked.id AND instr(permissions, ' stats:read ') > 0) AS id
    FROM asked
  )`;

export const PERMITTED = '(SELECT id FROM permitted)';

const SELECT_ACCESS = `${ASKED}
  SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok, (SELECT count(client_id) FROM grants) AS clients,
    (SELECT id FROM asked) AS client_id, ${PERMITTED} IS NOT NULL AS scope_ok,
    ?7 = 'link' AND EXISTS (
      SELECT 1 FROM links WHERE id = ?8 ->> 0 AND deleted_at IS NOT NULL AND url <> '' AND client_id IN (
        SELECT client_id FROM grants
        WHERE client_id = coalesce(?6, client_id) AND instr(permissions, ' stats:read ') > 0)) AS is_deleted,
    (SELECT value FROM json_each(?8) WHERE ?7 = 'links' AND NOT EXISTS (
      SELECT 1 FROM links WHERE id = value AND deleted_at IS NULL AND client_id = ${PERMITTED}) LIMIT 1) AS unknown_link`;

function permitted(row: AccessRow | undefined, subject: Subject, clientId: string | undefined): string {
  if (!row?.credential_ok) {
    throw invalidCredential();
  }
  if (row.scope_ok && row.client_id !== null) {
    if (row.unknown_link === null) return row.client_id;
    throw new AppError(
      'invalid_link',
      `link must be the id of a link of the client, and ${quote(row.unknown_link)} is not.`,
    );
  }
  if (row.client_id !== null) {
    throw new AppError('insufficient_scope', 'The credential does not have the scope stats:read. Use another one.');
  }
  if (row.is_deleted) throw new AppError('gone', LINK_DELETED);
  if (subject.kind === 'link') throw new AppError('not_found', 'There is no link with this id that you can access.');
  if (clientId !== undefined || row.clients === 0) {
    throw new AppError(
      'wrong_client',
      'The credential does not belong to this client. Send the client_id that it belongs to.',
    );
  }
  throw new AppError(
    'missing_field',
    'client_id is required, since the user belongs to several clients: send one in the query.',
  );
}
