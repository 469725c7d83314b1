import type { Param, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from './access.ts';
import type { Permission } from './scopes.ts';

/**
 * A secret is shown once, in the answer to the form that asks for it. When a reload sends the form again, no second
 * secret is created: the primary key of `spent_forms` decides which of two attempts is the first.
 */

/** One attempt of a form that asks for a secret. */
export interface SecretForm {
  /** Generated with the form, and sent with it. */
  readonly nonce: string;
  /** The hash of this attempt's secret, which distinguishes it from other attempts. */
  readonly secretHash: string;
}

const NONCE = /^[\w-]{22}$/;

/** Reads the nonce that a form sent. Throws `malformed_body`. */
export function readFormNonce(text: string | undefined): string {
  if (text !== undefined && NONCE.test(text)) return text;
  throw new AppError('malformed_body', 'The form is incomplete. Open its page again and send the form from there.');
}

/**
 * Uses up the nonce of a form, unless it is used already. It goes before the statements that check `FORM_IS_OURS`.
 *
 * @param subjectId the id of what the form creates or changes
 * @param where a SELECT of `client_id` under `ACTING`, which selects no row if the form has nothing to do; ?8 is the
 * subject
 */
export function useNonce(
  actor: Actor,
  permission: Permission,
  now: number,
  { nonce, secretHash }: SecretForm,
  subjectId: string,
  where = `SELECT client_id FROM acting WHERE client_id = ${SOLE_CLIENT}`,
): Statement {
  return {
    sql: `${ACTING}
      INSERT INTO spent_forms (client_id, nonce, subject_id, secret_hash, created_at)
      SELECT client_id, ?9, ?8, ?10, ?5 FROM (${where}) WHERE true
      ON CONFLICT DO NOTHING`,
    params: [...actingParams(actor, permission, now), subjectId, nonce, secretHash],
  };
}

/** True if this attempt has used up the nonce, or there is no form; takes the parameters of `formParams`. */
export const FORM_IS_OURS = (nonce: string, secretHash: string) => `(${nonce} IS NULL OR EXISTS (
    SELECT 1 FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ${nonce} AND secret_hash = ${secretHash}))`;

export const formParams = (form: SecretForm | null): Param[] => [form?.nonce ?? null, form?.secretHash ?? null];

/** Selects a row if the nonce of a form is used, for any subject. */
export function selectUsedNonce(actor: Actor, permission: Permission, now: number, nonce: string): Statement {
  return {
    sql: `${ACTING} SELECT subject_id FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ?8`,
    params: [...actingParams(actor, permission, now), nonce],
  };
}

/** For the daily clean-up. No session lives nearly as long as that. */
export function deleteFormNoncesBefore(at: number): Statement {
  return { sql: `DELETE FROM spent_forms WHERE created_at < ?1`, params: [at] };
}
