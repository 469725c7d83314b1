import type { Statement } from '../database/database.ts';
import { DAY_MS } from '../time/day.ts';

/**
 * For the daily clean-up: mails that were sent go after eight days, since the limits of invites need a week; others go 30
 * days after their time.
 */
export const deleteOldMails = (now: number): Statement => ({
  sql: `DELETE FROM mails WHERE (sent_at IS NOT NULL AND created_at < ?1) OR expires_at < ?2`,
  params: [now - 8 * DAY_MS, now - 30 * DAY_MS],
});
