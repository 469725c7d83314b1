import type { Database } from '../database/database.ts';
import { logProblem } from '../isolate/log.ts';
import { sendMailMessages } from './messages.ts';
import { giveUpExpired, selectDue } from './mail-store.ts';

/** More than this wait for the next run. */
const MOST = 500;

/** Sends reminders of the mails that are due, and gives up those whose time is over. */
export async function sweepMails(
  { db, queue }: { readonly db: Database; readonly queue: Pick<Queue, 'sendBatch'> },
  now: number,
): Promise<void> {
  const [expired, due] = await db.batch<
    [{ readonly id: string; readonly kind: string; readonly error: string }, { readonly id: string }]
  >([giveUpExpired(now), selectDue(now, MOST)]);
  for (const { id, kind, error } of expired) logProblem('mail_failed', error, { mail_id: id, kind });
  await sendMailMessages(
    queue,
    due.map(({ id }) => id),
  );
}
