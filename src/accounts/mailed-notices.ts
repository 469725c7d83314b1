import type { Database, Statement } from '../database/database.ts';
import { insertNotices } from '../mail/notice-sql.ts';
import { lifetimeOf } from '../mail/kinds.ts';
import { DAY_MS } from '../time/day.ts';
import { isOfProgram } from './sessions/sign-in-records.ts';

/** Mails that no request is about: the crons find what they are for. */

/** Longer than the time between two runs, since a run can be late. */
const SIGN_INS_OF_MS = 15 * 60_000;
const NOTICE_MS = 7 * DAY_MS;

/**
 * Inserts a mail about each recent sign-in with a browser, system or country that the user's history does not have. The
 * cron does it, so that a sign-in waits for nothing and loads nothing. Throws `store_unavailable`.
 */
export async function noticeNewDevices(db: Database, now: number): Promise<void> {
  await db.batch([insertDeviceNotices(now)]);
}

const ofBrowser = (row: string) => `NOT ${isOfProgram(`${row}.way`)} AND ${row}.outcome = 'success'`;

// The id is that of the sign-in, so that two runs insert one mail.
function insertDeviceNotices(now: number): Statement {
  return {
    sql: `INSERT INTO mails (id, kind, user_id, details, created_at, expires_at, next_try_at)
          SELECT 'sign-in ' || s.id, 'new_device', s.user_id,
            json_object('browser', s.browser, 'os', s.os, 'country', s.country), s.at, ?1 + ?3, ?1
          FROM mail_addresses a JOIN sign_ins s ON s.user_id = a.user_id AND s.at > ?2 AND s.at >= a.confirmed_at
          WHERE a.confirmed_at IS NOT NULL AND ${ofBrowser('s')}
            AND EXISTS (SELECT 1 FROM sign_ins p WHERE p.user_id = s.user_id AND p.at < s.at AND ${ofBrowser('p')})
            AND NOT EXISTS (
              SELECT 1 FROM sign_ins p WHERE p.user_id = s.user_id AND p.at < s.at AND ${ofBrowser('p')}
                AND p.browser IS s.browser AND p.os IS s.os AND p.country IS s.country)
          ON CONFLICT (id) DO NOTHING RETURNING id`,
    params: [now, now - SIGN_INS_OF_MS, lifetimeOf('new_device')],
    returnsMails: true,
  };
}

/**
 * Inserts a mail to the holder of each API key that expires within seven days, once for each key. The daily clean-up does
 * it, and a run can be late or missing. Keys with a lifetime of seven days or less are left out.
 */
export const insertKeyNotices = (now: number): Statement =>
  insertNotices(now, {
    kind: 'key_expires',
    people: `SELECT k.id, k.user_id, k.client_id, json_object('expires_at', k.expires_at) AS details
      FROM api_keys k JOIN members m ON m.user_id = k.user_id AND m.client_id = k.client_id
      WHERE k.revoked_at IS NULL AND k.expires_at > ?4 AND k.expires_at <= ?5 AND k.created_at < k.expires_at - ?6`,
    params: [now, now + NOTICE_MS, NOTICE_MS],
    id: `'key_expires ' || p.id`,
  });
