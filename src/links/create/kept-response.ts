import { GRANTS_OF, type Credential } from '../../accounts/grants.ts';
import {
  isOfRequest,
  isPacked,
  KEPT_COLUMNS,
  keptName,
  REPLACE_FORGOTTEN,
  repeatParams,
  type Repeatable,
} from '../../accounts/stored-responses.ts';
import type { Statement } from '../../database/database.ts';
import type { CheckRow } from './create-refusals.ts';
import { MAY_WRITE, SOLE_CLIENT, type CreateSql, type KeptFor } from './create-sql.ts';

/** The response to a create that can be repeated, which is kept in its batch. */

/** A repeatable request, and the answer to keep if it creates a link. */
export interface Once extends Repeatable {
  readonly keptFor: KeptFor;
  /** JSON; that of a list as `packResponse` returns it. */
  readonly answer: string;
}

// A refusal that is not kept would be another one when the request is repeated, so a missing column is a type error.
const CHECKS = Object.keys({
  place: true,
  credential_ok: true,
  clients: true,
  client_ok: true,
  scope_ok: true,
  end_ok: true,
  domain_ok: true,
  target_ok: true,
  host_blocked: true,
  slug_ok: true,
  refused_host: true,
  is_below: true,
  is_above: true,
  external_id_ok: true,
  tags_ok: true,
  deleted_owner: true,
  slug_length: true,
} satisfies Record<keyof CheckRow, true>);

/**
 * Selects the kept answer to an earlier request, and keeps the answer to this one if it has created a link.
 *
 * @param params those of the statements of the create
 */
export function keepResponse(
  { kind }: Credential,
  params: Statement['params'],
  once: Once,
  sql: CreateSql,
  withTags: boolean,
): Statement[] {
  const grants = GRANTS_OF[kind];
  const repeat = repeatParams(once);
  const ofLink = once.keptFor === 'link';
  const client = ofLink ? `(SELECT ${sql.keptClient} FROM json_each(?6) AS item)` : sql.keptClient;
  const columns = CHECKS.map((name) => `'${name}', ${name}`).join(', ');
  // The answer has the tags as they were sent: another spelling of them may exist.
  const tagged = withTags && sql.selectTags('?6');
  const response = ofLink
    ? tagged
      ? `CASE WHEN json_type(?11, '$.tags') IS NULL THEN ?11
          ELSE json_set(?11, '$.tags', json((SELECT coalesce(max(tags), '[]') FROM (${tagged})))) END`
      : '?11'
    : `json_object('client', ${SOLE_CLIENT}, 'answer', ${isPacked(once.answer) ? '?11' : 'json(?11)'}, 'refusals', (
        SELECT json_group_array(json_object(${columns})) FROM (${sql.check}))
        ${tagged ? `, 'tags', (SELECT json_group_object(id, json(tags)) FROM (${tagged}))` : ''})`;
  return [
    {
      sql: `${grants}
        SELECT ${KEPT_COLUMNS}, (SELECT json_group_array(client_id) FROM grants WHERE ${MAY_WRITE}) AS clients
        FROM idempotency_keys WHERE client_id = ${client} AND ${isOfRequest(7)}
          AND EXISTS (SELECT 1 FROM grants WHERE ${MAY_WRITE}${ofLink ? ` AND client_id = ${client}` : ''})`,
      params: [...params, ...repeat],
    },
    {
      sql: `${grants}
        INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at)
        SELECT ${client}, ${keptName(7)}, ?10, ${response}, ?5
        WHERE EXISTS (
          SELECT 1 FROM json_each(?6) AS item JOIN links l
            ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt')
        ${REPLACE_FORGOTTEN}`,
      params: [...params, ...repeat, once.fingerprint, once.answer],
    },
  ];
}
