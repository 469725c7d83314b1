import type { Statement } from '../../database/database.ts';
import { IS_IN_SESSION, IS_SEEN, IS_SIGNED_IN, type BeganBy, type SessionRef } from './session-store.ts';

/** The SQL by which users see where they are signed in, and sign out there. */

export interface ActiveSessionRow {
  readonly family_id: string;
  readonly started_at: number;
  readonly seen_at: number;
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
  readonly began_by: BeganBy | null;
}

/** The working sessions of a user: the one that asks, then those seen last. */
export function selectSessions({ familyId, userId }: SessionRef, now: number, idleSince: number): Statement {
  return {
    sql: `SELECT s.family_id, f.started_at, s.seen_at, s.browser, s.os, s.country, f.began_by
          FROM token_families f JOIN sessions s ON s.family_id = f.id
          WHERE f.user_id = ?2 AND f.ended_at IS NULL AND f.ends_at > ?3 AND s.seen_at > ?4 AND ${IS_SEEN}
            AND ${IS_IN_SESSION}
          ORDER BY s.family_id = ?1 DESC, s.seen_at DESC, s.family_id LIMIT 200`,
    params: [familyId, userId, now, idleSince],
  };
}

/** Ends one session of the same user. */
export function endSession({ familyId, userId }: SessionRef, now: number, endedId: string): Statement {
  return {
    sql: `UPDATE token_families AS f SET ended_at = ?3
          WHERE f.id = ?4 AND f.user_id = ?2 AND f.ended_at IS NULL AND f.id IN (SELECT family_id FROM sessions)
            AND ${IS_SEEN} AND ${IS_IN_SESSION}`,
    params: [familyId, userId, now, endedId],
  };
}

/** Ends all other sessions of the same user, and forgets the browsers in which they had signed in. */
export function endOtherSessions({ familyId, userId }: SessionRef, now: number): Statement[] {
  return [
    {
      sql: `UPDATE users SET factor_version = factor_version + 1 WHERE id = ?2 AND ${IS_SIGNED_IN}`,
      params: [familyId, userId, now],
    },
    endOthers({ familyId, userId }, now, IS_SIGNED_IN),
  ];
}

/** Ends all other sessions of the same user if a condition holds, whose parameters are ?1 to ?3 of `IS_SIGNED_IN`. */
export function endOthers({ familyId, userId }: SessionRef, now: number, condition: string): Statement {
  return {
    sql: `UPDATE token_families SET ended_at = ?3
          WHERE user_id = ?2 AND id <> ?1 AND ended_at IS NULL AND id IN (SELECT family_id FROM sessions) AND ${condition}`,
    params: [familyId, userId, now],
  };
}
