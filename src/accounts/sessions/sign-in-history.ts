import type { Database } from '../../database/database.ts';
import { cutPage, encodeCursor, rowsOfPage, type Page } from '../../input/pagination.ts';
import type { Device } from './device.ts';
import type { Session } from './session.ts';
import { IS_SIGNED_IN, type BeganBy } from './session-store.ts';
import type { ProgramWay } from './sign-in-records.ts';

/** The way of a sign-in: of a browser what its session began with, of a program the user's own password or another one. */
export type SignInWay = BeganBy | ProgramWay;

/** A sign-in, or a wrong code of a second factor, as its user sees it. */
export interface SignIn extends Device {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly way: SignInWay;
  readonly outcome: 'success' | 'wrong_code';
  /** The name of the application password, unless it has been deleted since; null for other ways. */
  readonly passwordName: string | null;
}

interface SignInRow {
  readonly id: string;
  readonly at: number;
  readonly way: SignInWay;
  readonly outcome: SignIn['outcome'];
  readonly password_name: string | null;
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
}

/** A page of the sign-ins of a session's user, newest first. Throws `store_unavailable`. */
export async function listSignIns(
  db: Database,
  { credential: { familyId, userId } }: Session,
  { after, limit, filters }: Page,
): Promise<{ readonly signIns: readonly SignIn[]; readonly cursor: string | null }> {
  const [found] = await db.batch<[SignInRow]>([
    {
      sql: `SELECT s.id, s.at, s.way, s.outcome, p.name AS password_name, s.browser, s.os, s.country
            FROM sign_ins s LEFT JOIN application_passwords p ON p.id = s.begun_with AND p.user_id = s.user_id
            WHERE s.user_id = ?2 AND (s.at, s.id) < (?4, ?5) AND ${IS_SIGNED_IN}
            ORDER BY s.at DESC, s.id DESC LIMIT ?6`,
      params: [familyId, userId, Date.now(), ...after, rowsOfPage(limit)],
    },
  ]);
  const { rows, last } = cutPage(limit, found);
  return {
    signIns: rows.map(({ password_name: passwordName, ...row }) => ({ ...row, passwordName })),
    cursor: last === undefined ? null : encodeCursor(filters, [last.at, last.id]),
  };
}
