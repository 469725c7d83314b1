import type { Database } from '../../database/database.ts';
import type { Device } from './device.ts';
import type { Session } from './session.ts';
import { IS_SIGNED_IN, type BeganBy } from './session-store.ts';

/** The way of a sign-in: of a browser what its session began with, of a program the user's own password or another one. */
export type SignInWay = BeganBy | 'basic' | 'application_password';

/** A sign-in, or a wrong code of a second factor, as its user sees it. */
export interface SignIn extends Device {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly way: SignInWay;
  readonly outcome: 'success' | 'wrong_code';
  /** The name of the application password, unless it has been deleted since; null for other ways. */
  readonly passwordName: string | null;
}

interface SignInRow {
  readonly at: number;
  readonly way: SignInWay;
  readonly outcome: SignIn['outcome'];
  readonly password_name: string | null;
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
}

/** The most sign-ins that are listed. */
export const MAX_LISTED = 200;

/** Lists the newest sign-ins of a session's user, newest first. Throws `store_unavailable`. */
export async function listSignIns(
  db: Database,
  { credential: { familyId, userId } }: Session,
): Promise<readonly SignIn[]> {
  const [rows] = await db.batch<[SignInRow]>([
    {
      sql: `SELECT s.at, s.way, s.outcome, p.name AS password_name, s.browser, s.os, s.country
            FROM sign_ins s LEFT JOIN application_passwords p ON p.id = s.begun_with AND p.user_id = s.user_id
            WHERE s.user_id = ?2 AND ${IS_SIGNED_IN}
            ORDER BY s.at DESC, s.id DESC LIMIT ${MAX_LISTED}`,
      params: [familyId, userId, Date.now()],
    },
  ]);
  return rows.map(({ password_name: passwordName, ...row }) => ({ ...row, passwordName }));
}
