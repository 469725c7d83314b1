import type { Param, Statement } from '../database.ts';
import { AppError } from '../errors.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from './access.ts';
import type { Permission } from './scopes.ts';

/**
 * A secret is shown once, on the answer of the form that asks for it; that form, sent again by a reload, makes no other.
 * Which of two tries is the first, the database decides: by the key of `spent_forms`.
 */

/** A form that asks for a secret, as a try of it sees it. */
export interface SecretForm {
  /** Made with the form, and sent with it. */
  readonly nonce: string;
  /** The hash of the secret that this try would give, which tells it from the others. */
  readonly secretHash: string;
}

const NONCE = /^[\w-]{22}$/;

/** Reads what a form sent. Throws `malformed_body`. */
export function readFormNonce(text: string | undefined): string {
  if (text !== undefined && NONCE.test(text)) return text;
  throw new AppError('malformed_body', 'The form is not whole. Open its page again, and send it from there.');
}

/**
 * Spends a form, unless it is spent; it goes before the statements that ask `FORM_IS_OURS`.
 *
 * @param subjectId what the form makes or changes
 * @param where a SELECT of `client_id` under `ACTING`, with no row where the form has nothing to do; ?8 is the subject
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

/** Whether this very try has spent its form, or comes by none; takes the parameters of `formParams`. */
export const FORM_IS_OURS = (nonce: string, secretHash: string) => `(${nonce} IS NULL OR EXISTS (
    SELECT 1 FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ${nonce} AND secret_hash = ${secretHash}))`;

export const formParams = (form: SecretForm | null): Param[] => [form?.nonce ?? null, form?.secretHash ?? null];

/** Selects a row if a form was spent, for whatever subject. */
export function selectUsedNonce(actor: Actor, permission: Permission, now: number, nonce: string): Statement {
  return {
    sql: `${ACTING} SELECT subject_id FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ?8`,
    params: [...actingParams(actor, permission, now), nonce],
  };
}

/** For the daily clean-up: no session lasts nearly as long. */
export function deleteFormNoncesBefore(at: number): Statement {
  return { sql: `DELETE FROM spent_forms WHERE created_at < ?1`, params: [at] };
}
