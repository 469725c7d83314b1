import type { Database } from '../database/database.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import { logInfo, logProblem } from '../isolate/log.ts';
import { compose, type Service } from './compose.ts';
import type { MailTokens } from './mail-tokens.ts';
import * as store from './mail-store.ts';
import type { MailTransport } from './transport.ts';

/** The means by which an isolate sends mails. */
export interface Mailer {
  readonly transport: MailTransport;
  readonly tokens: MailTokens;
  readonly service: Service;
}

/** For so long a mail that is being sent is not taken again. */
const TAKEN_MS = 60_000;
/** The seconds before each further attempt. The cron of every five minutes finds what is due. */
const WAITS_SECONDS = [60, 300, 900, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600];
const AT_A_TIME = 4;

/**
 * Sends mails that are due, each once for all messages about it. A mail can leave twice only if its isolate ends between
 * the answer of the transport and the write of it. Throws `store_unavailable`.
 */
export async function sendMails(db: Database, mailer: Mailer, ids: readonly string[]): Promise<void> {
  await forEachConcurrently([...new Set(ids)], AT_A_TIME, (id) => sendMail(db, mailer, id));
}

async function sendMail(db: Database, { transport, tokens, service }: Mailer, id: string): Promise<void> {
  const now = Date.now();
  const [[row]] = await db.batch<[store.MailRow]>([store.takeMail(id, now, now + TAKEN_MS)]);
  if (row === undefined) return;
  const { address: to } = row;
  const token = row.token_hash === null ? null : tokens.tokenOf(id, row.token_hash);
  if (to === null) {
    await db.batch([store.dropMail(id)]);
    return;
  }
  const sent =
    row.token_hash !== null && token === null
      ? { error: 'key_removed', isRefusal: true }
      : await transport({ id, to, ...(await compose(row, token, service)) });
  const named = { mail_id: id, kind: row.kind, attempt: row.tries };
  if (sent === 'sent') {
    await db.batch([store.markSent(id, Date.now())]);
    return logInfo('mail_sent', named);
  }
  const wait = WAITS_SECONDS[row.tries - 1] ?? WAITS_SECONDS.at(-1) ?? 0;
  const at = sent.isRefusal ? null : Date.now() + wait * 1000;
  await db.batch([store.markNotSent(id, Date.now(), at, sent.error)]);
  // The operator finds it in the logs, and with `npm run account -- mails`.
  if (at === null || at >= row.expires_at) logProblem('mail_failed', sent.error, named);
  else logInfo('mail_not_sent', { ...named, reason: sent.error });
}
