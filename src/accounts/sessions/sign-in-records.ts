import type { Statement } from '../../database/database.ts';

/** The SQL by which sign-ins are recorded for their user, in the batch in which they begin, and deleted again. */

/** The ways of sign-ins by programs. */
export const PROGRAM_WAYS = ['basic', 'application_password'] as const;
export type ProgramWay = (typeof PROGRAM_WAYS)[number];

/** The SQL that is true if a way is that of a program. */
export const isOfProgram = (way: string): string => `${way} IN ('${PROGRAM_WAYS.join("', '")}')`;

const PROGRAM_MS = 3600 * 1000;

/**
 * After the statement that begins a family of a program: records it, unless there is a record of the last hour with the
 * same credential and country, since some programs get tokens for each of their calls.
 */
export function recordProgramBegun(
  familyId: string,
  startedAt: number,
  way: ProgramWay,
  country: string | null,
): Statement {
  return {
    sql: `INSERT INTO sign_ins (user_id, at, id, way, begun_with, outcome, country)
          SELECT f.user_id, f.started_at, f.id, ?2, f.begun_with, 'success', ?3 FROM token_families f
          WHERE f.id = ?1 AND NOT EXISTS (
            SELECT 1 FROM sign_ins s
            WHERE s.user_id = f.user_id AND s.at > ?4 AND s.way = ?2 AND s.begun_with IS f.begun_with AND s.country IS ?3)`,
    params: [familyId, way, country, startedAt - PROGRAM_MS],
  };
}

/** For how long a sign-in is kept, in days. */
export const SIGN_IN_DAYS = 90;

/** For the daily clean-up. User by user, which is the order of the table's primary key. */
export function deleteSignInsBefore(at: number): Statement {
  return { sql: `DELETE FROM sign_ins WHERE user_id IN (SELECT id FROM users) AND at < ?1`, params: [at] };
}

// Enough for a program that signs in each hour, which must not push out the sign-ins of browsers.
const MAX_OF_KIND = 2500;

/** The kind of a sign-in: of a browser, of a program, or a wrong code. */
const KIND = `CASE WHEN outcome = 'wrong_code' THEN 2 ELSE ${isOfProgram('way')} END`;

/** For the daily clean-up: deletes a user's sign-ins except the newest 2,500 of each kind. */
export function deleteSurplusSignIns(): Statement {
  return {
    sql: `DELETE FROM sign_ins WHERE (user_id, at, id) IN (
            SELECT user_id, at, id FROM (
              SELECT user_id, at, id, row_number() OVER (PARTITION BY user_id, ${KIND} ORDER BY at DESC, id DESC) AS place
              FROM sign_ins)
            WHERE place > ${MAX_OF_KIND})`,
    params: [],
  };
}
