import type { Statement } from '../../database/database.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';

/** The SQL of what users choose for themselves. Each statement returns a row if the session may change the account. */

export function updateTimeZone({ familyId, userId }: SessionRef, now: number, timeZone: string): Statement {
  return {
    sql: `UPDATE users SET time_zone = ?4 WHERE id = ?2 AND ${IS_SIGNED_IN} RETURNING id`,
    params: [familyId, userId, now, timeZone],
  };
}

export function updateLanguage({ familyId, userId }: SessionRef, now: number, language: string | null): Statement {
  return {
    sql: `UPDATE users SET language = ?4 WHERE id = ?2 AND ${IS_SIGNED_IN} RETURNING id`,
    params: [familyId, userId, now, language],
  };
}
