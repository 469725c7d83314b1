import type { Param, Statement } from '../database/database.ts';
import { lifetimeOf, type MailKind } from './kinds.ts';

/** A mail that is to be sent, as its row begins. */
export interface NewMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly now: number;
  /** The address that gets it; null for the confirmed one of its user. */
  readonly address: string | null;
  /** The hash of the token in its link, or null. */
  readonly tokenHash: string | null;
}

/**
 * Inserts a mail, unless there is no row.
 *
 * @param from a SELECT of `user_id`, `client_id` and `language`, of one row or none; its parameters begin at ?7
 */
export function insertMail(
  { id, kind, now, address, tokenHash }: NewMail,
  from: string,
  params: readonly Param[],
): Statement {
  return {
    sql: `INSERT INTO mails (id, kind, user_id, client_id, language, address, token_hash, created_at, expires_at, next_try_at)
          SELECT ?1, ?2, p.user_id, p.client_id, p.language, ?3, ?4, ?5, ?6, ?5 FROM (${from}) p RETURNING id`,
    params: [id, kind, address, tokenHash, now, now + lifetimeOf(kind), ...params],
    returnsMails: true,
  };
}
