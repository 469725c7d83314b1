import { sendInCalls } from '../bounds/queue-calls.ts';

/** The messages about mails, in the queue of webhooks. */

/** A reminder that a mail is due: its row says the rest, and the cron sends another one if it is lost. */
export interface MailMessage {
  readonly mail: string;
}

/** Someone asks for a link to choose a new password. Whether there is an account is found out by the consumer. */
export interface ResetMessage {
  /** The name of a user, or a confirmed address, as it was typed. */
  readonly reset: string;
}

type Sender = Pick<Queue, 'sendBatch'>;

/** Sends reminders of mails. Throws what the queue throws. */
export function sendMailMessages(queue: Sender, ids: readonly string[]): Promise<void> {
  return sendInCalls(
    queue,
    ids.map((mail) => ({ body: { mail } })),
  );
}

/** Asks for a reset link. Throws what the queue throws. */
export const sendResetMessage = (queue: Sender, reset: string): Promise<void> =>
  sendInCalls(queue, [{ body: { reset } }]);

/** True for a message about mails. */
export function isOfMail(message: Message): message is Message<MailMessage | ResetMessage> {
  const { body } = message;
  if (typeof body !== 'object' || body === null) return false;
  const { mail, reset } = body as Readonly<Record<string, unknown>>;
  return typeof (mail ?? reset) === 'string';
}
