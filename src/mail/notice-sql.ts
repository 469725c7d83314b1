import type { Param, Statement } from '../database/database.ts';
import { lifetimeOf, type MailKind } from './kinds.ts';

/**
 * The SQL by which the batch of a change inserts the mails about it: to people with a confirmed address. Where mail was
 * never on there is none.
 */

/** Mails of one kind. */
interface Notices {
  readonly kind: MailKind;
  /** A SELECT of `user_id`, `client_id` and `details` (JSON or NULL) for each person. Its parameters begin at ?4. */
  readonly people: string;
  readonly params: readonly Param[];
  /** The id of a mail, in SQL of `people` as `p`, for what is mailed once however often it is found. Else it is random. */
  readonly id?: string;
  /** When a mail is due, in SQL of `p`, for what is found before it has to leave. Else it is due now. */
  readonly dueAt?: string;
}

/** Inserts a mail for each person with a confirmed address. */
export function insertNotices(
  now: number,
  { kind, people, params, id = 'lower(hex(randomblob(8)))', dueAt = '?2' }: Notices,
): Statement {
  return {
    sql: `INSERT INTO mails (id, kind, user_id, client_id, details, created_at, expires_at, next_try_at)
          SELECT ${id}, ?1, p.user_id, p.client_id, p.details, ?2, ${dueAt} + ?3, ${dueAt}
          FROM (${people}) p JOIN mail_addresses a ON a.user_id = p.user_id
          WHERE a.confirmed_at IS NOT NULL ON CONFLICT (id) DO NOTHING RETURNING id`,
    params: [kind, now, lifetimeOf(kind), ...params],
    returnsMails: true,
  };
}

/**
 * The owners of clients, for `insertNotices`.
 *
 * @param clients a SELECT of ids of clients; its parameters begin at ?4
 */
export const ownersOf = (clients: string): string =>
  `SELECT m.user_id, m.client_id, NULL AS details FROM members m JOIN users u ON u.id = m.user_id
   WHERE m.role = 'owner' AND u.disabled_at IS NULL AND m.client_id IN (${clients})`;
