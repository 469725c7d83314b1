import type { Statement } from '../../database/database.ts';
import type { Device } from '../sessions/device.ts';
import { wasSpentFor } from './spent.ts';
import { DAY_MS, HOUR_MS } from '../../time/day.ts';

/** The SQL of the codes that people enter: how often they are tried, whose they are, and what they are spent for. */

/** The most wrong codes of an account from one address in an hour, and from all together in a day. */
export const MAX_OF_ADDRESS = 10;
const MAX_OF_ACCOUNT = 50;

/** The number of wrong codes of a user in the day before an instant, in SQL. */
export const wrongCodesOf = (userId: string, now: string): string =>
  `(SELECT count(*) FROM code_tries WHERE user_id = ${userId} AND tried_at > ${now} - ${DAY_MS})`;

interface CodeTry {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly now: number;
  /** True for a browser in which the user has signed in before. Strangers have half of its tries, so that it stays open. */
  readonly isKnown: boolean;
  /** The browser and the place of the attempt. */
  readonly device: Device;
}

/**
 * Counts a code before it is compared, so that no two at once pass the limit, and records it as a wrong one. The first
 * statement returns a row unless there were too many.
 */
export function insertTry({ id, userId, address, now, isKnown, device }: CodeTry): Statement[] {
  return [
    {
      sql: `INSERT INTO code_tries (user_id, tried_at, id, address)
          SELECT id, ?2, ?3, ?4 FROM users
          WHERE id = ?1 AND ${wrongCodesOf('?1', '?2')} < ?5
            AND (?6 OR ${MAX_OF_ADDRESS} > (
              SELECT count(*) FROM code_tries WHERE user_id = ?1 AND tried_at > ?2 - ${HOUR_MS} AND address = ?4))
          RETURNING id`,
      params: [userId, now, id, address, isKnown ? 2 * MAX_OF_ACCOUNT : MAX_OF_ACCOUNT, isKnown ? 1 : 0],
    },
    {
      sql: `INSERT INTO sign_ins (user_id, at, id, way, outcome, browser, os, country)
          SELECT user_id, tried_at, id, 'app', 'wrong_code', ?4, ?5, ?6
          FROM code_tries WHERE user_id = ?1 AND tried_at = ?2 AND id = ?3`,
      params: [userId, now, id, device.browser, device.os, device.country],
    },
  ];
}

/** After the statements of what a right code was spent for: its try was none of a wrong one. */
export function deleteTry({ id, userId, now }: Pick<CodeTry, 'id' | 'userId' | 'now'>, spentFor: string): Statement[] {
  return [
    ['code_tries', 'tried_at'],
    ['sign_ins', 'at'],
  ].map(([table, at]) => ({
    sql: `DELETE FROM ${table} WHERE user_id = ?1 AND ${at} = ?2 AND id = ?3 AND ${wasSpentFor('?1', '?4')}`,
    params: [userId, now, id, spentFor],
  }));
}

export function deleteTriesBefore(at: number): Statement {
  return { sql: `DELETE FROM code_tries WHERE user_id IN (SELECT id FROM users) AND tried_at < ?1`, params: [at] };
}

export interface StepRow {
  readonly name: string;
  readonly password_hash: string;
  readonly disabled_at: number | null;
  readonly factor_version: number;
  readonly seed: string | null;
}

/** The user of a second step, and the sealed seed of their app. */
export function selectStep(userId: string): Statement {
  return {
    sql: `SELECT u.name, u.password_hash, u.disabled_at, u.factor_version, t.seed
          FROM users u LEFT JOIN totp_seeds t ON t.user_id = u.id WHERE u.id = ?1`,
    params: [userId],
  };
}

/** A code that is right, as far as it was not used before. */
export type RightCode = { readonly step: number } | { readonly recoveryHash: string };

/** Spends a code for one thing, unless it has been spent: of two requests at once one finds it. */
export function spendCode(userId: string, code: RightCode, spentFor: string, now: number): Statement {
  return 'step' in code
    ? {
        sql: `UPDATE totp_seeds SET last_step = ?2, spent_by = ?3 WHERE user_id = ?1 AND last_step < ?2`,
        params: [userId, code.step, spentFor],
      }
    : {
        sql: `UPDATE recovery_codes SET spent_at = ?4, spent_by = ?3 WHERE user_id = ?1 AND hash = ?2 AND spent_at IS NULL`,
        params: [userId, code.recoveryHash, spentFor, now],
      };
}
