import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { openReceiver, type Behaviour } from './receivers.ts';

/** Mails as rows, and as an API of mail gets them. */

/** A mail as the API got it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The row of a mail, as far as tests read it. */
export interface MailRow {
  readonly id: string;
  readonly kind: string;
  readonly user_id: string | null;
  readonly address: string | null;
  readonly tries: number;
  readonly next_try_at: number;
  readonly sent_at: number | null;
  readonly failed_at: number | null;
  readonly error: string | null;
}

/** Passes messages of the queue of webhooks on to an app with these settings. */
export async function consume(bodies: readonly object[], settings: Readonly<Record<string, string>> = {}) {
  const app = createApp(parseConfig({ ...env, ...settings }));
  const messages = bodies.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts: 1, body }));
  const ctx = createExecutionContext();
  await app.queue(createMessageBatch('terse-webhooks', messages), env, ctx);
  await waitOnExecutionContext(ctx);
}

/** The rows of mails of a kind to a user or an address, oldest first. */
export async function mailsOf(kind: string, recipient: string): Promise<readonly MailRow[]> {
  const { results } = await env.DB.prepare(
    'SELECT * FROM mails WHERE kind = ?1 AND (user_id = ?2 OR address = ?2) ORDER BY created_at, id',
  )
    .bind(kind, recipient)
    .all<MailRow>();
  return results;
}

/** Sends mails through an API that answers so, and returns its requests. */
export async function sendThrough(
  mails: readonly Pick<MailRow, 'id'>[],
  behaviours: readonly Behaviour[] = [{ answer: '{"id":"1"}' }],
  settings: Readonly<Record<string, string>> = {},
) {
  const receiver = await openReceiver(...behaviours);
  await consume(
    mails.map(({ id }) => ({ mail: id })),
    { MAIL_URL: receiver.url, MAIL_TOKEN: 'mail-secret', ...settings },
  );
  const received = await receiver.received();
  return received.map(({ headers, body }) => ({ headers, mail: JSON.parse(body) as ReceivedMail }));
}

/** Gives a user a confirmed address. */
export async function confirmAddress(userId: string, address = `${crypto.randomUUID()}@mail.example`): Promise<string> {
  await env.DB.prepare('INSERT INTO mail_addresses (user_id, address, confirmed_at) VALUES (?, ?, 1)')
    .bind(userId, address)
    .run();
  return address;
}

/** The path of the link in the text of a mail. */
export const linkIn = ({ text }: Pick<ReceivedMail, 'text'>): string =>
  /^https:\/\/terse\.test(\/\S*)$/m.exec(text)?.[1] ?? '';
