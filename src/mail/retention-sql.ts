import type { Statement } from '../database/database.ts';
import { deleteMailsBefore } from './mail-store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** For the daily clean-up: mails that were sent go after eight days, others 30 days after their time. */
export const deleteOldMails = (now: number): Statement => deleteMailsBefore(now - 8 * DAY_MS, now - 30 * DAY_MS);
