import { DAY_MS, dayOf } from '../../time/day.ts';
import type { Database, Param, Statement } from '../../database/database.ts';
import { selectConfirmed, type ConfirmedRow } from '../confirm.ts';
import { GRANTS, grantParams, type Credential } from '../grants.ts';
import { givenName, type GivenName } from '../members/given-name.ts';

/**
 * The users whose programs still call `/shortener/encode`, counted by UTC day, so that clients can be warned before the
 * endpoint is removed. Remove this file together with `src/api/encode.ts`.
 */

/** A user of a client whose programs called the endpoint in the last seven days. */
export interface EncodeCaller {
  readonly clientId: string;
  readonly name: string;
  /** The name that a provider gives to a user without one of their own, or null. */
  readonly given: GivenName | null;
  /** The number of calls that created a link, and of those that were refused. */
  readonly created: number;
  readonly refused: number;
}

const SHOWN_DAYS = 7;
const KEPT_DAYS = 30;

/** A condition in SQL, with its parameters from ?8 on. */
interface Condition {
  readonly sql: string;
  readonly params: readonly Param[];
}

/**
 * Counts a call, if its token is valid and the client is one of the user's own.
 *
 * @param clientId null if the request names none: then the call counts for the user's only client
 * @param isCreated whether the call has created a link
 */
export function countEncodeCall(credential: Credential, clientId: string | null, isCreated: Condition): Statement {
  const now = Date.now();
  return {
    sql: `${GRANTS}
      INSERT INTO encode_days (client_id, day, user_id, made, refused)
      SELECT client_id, ?7, user_id, is_created, 1 - is_created
      FROM (SELECT client_id, user_id, ${isCreated.sql} AS is_created FROM grants)
      WHERE client_id = coalesce(?6, client_id) AND (?6 IS NOT NULL OR (SELECT count(*) FROM grants) = 1)
      ON CONFLICT DO UPDATE SET made = made + excluded.made, refused = refused + excluded.refused`,
    params: [...grantParams(credential, now), clientId, dayOf(now), ...isCreated.params],
  };
}

/**
 * Counts a call that was refused before any query, and says whether its token is still valid. Throws
 * `store_unavailable`.
 */
export async function recordEncodeRefusal(
  db: Database,
  credential: Credential,
  clientId: string | null,
): Promise<boolean> {
  const [confirmed] = await db.batch<[ConfirmedRow, never]>([
    selectConfirmed(credential),
    countEncodeCall(credential, clientId, { sql: '0', params: [] }),
  ]);
  return confirmed[0]?.ok === 1;
}

/** The first of the days that are shown. */
export const firstShownDay = (now: number): string => dayOf(now - (SHOWN_DAYS - 1) * DAY_MS);

/**
 * A JSON array in SQL of the `EncodeCaller`s that a user may see: an owner sees all users of their clients, a member
 * only themselves.
 *
 * @param userId the user who sees them, as SQL
 * @param firstDay the parameter that holds the first day
 */
export const encodeCallersOf = (userId: string, firstDay: string) => `(
    SELECT json_group_array(json_object('clientId', client_id, 'name', name, 'given', json(given), 'created', created,
        'refused', refused)
      ORDER BY created + refused DESC, name)
    FROM (
      SELECT e.client_id, caller.name, sum(e.made) AS created, sum(e.refused) AS refused,
        ${givenName({ id: 'caller.id', name: 'caller.name', client: 'e.client_id' })} AS given
      FROM members viewer
      JOIN encode_days e ON e.client_id = viewer.client_id AND e.day >= ${firstDay}
      JOIN members cm ON cm.user_id = e.user_id AND cm.client_id = e.client_id
      JOIN users caller ON caller.id = e.user_id
      WHERE viewer.user_id = ${userId} AND (viewer.role = 'owner' OR e.user_id = viewer.user_id)
      GROUP BY e.client_id, e.user_id
    )
  )`;

/** For the daily clean-up. */
export function deleteOldEncodeDays(now: number): Statement {
  return {
    sql: `DELETE FROM encode_days WHERE client_id IN (SELECT id FROM clients) AND day < ?1`,
    params: [dayOf(now - KEPT_DAYS * DAY_MS)],
  };
}
