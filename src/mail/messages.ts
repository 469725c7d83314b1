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

// A call takes 100 messages: https://developers.cloudflare.com/queues/platform/limits/
const MAX_IN_A_CALL = 100;

/** Sends reminders of mails. Throws what the queue throws. */
export async function sendMailMessages(queue: Sender, ids: readonly string[]): Promise<void> {
  for (let first = 0; first < ids.length; first += MAX_IN_A_CALL) {
    const part = ids.slice(first, first + MAX_IN_A_CALL);
    await queue.sendBatch(part.map((mail) => ({ body: { mail }, contentType: 'json' })));
  }
}

/** Asks for a reset link. Throws what the queue throws. */
export const sendResetMessage = (queue: Sender, reset: string): Promise<unknown> =>
  queue.sendBatch([{ body: { reset }, contentType: 'json' }]);

/** Reads a message; null if it is none of these. */
export function readMailMessage(body: unknown): MailMessage | ResetMessage | null {
  if (typeof body !== 'object' || body === null) return null;
  const { mail, reset } = body as Readonly<Record<string, unknown>>;
  if (typeof mail === 'string') return { mail };
  return typeof reset === 'string' ? { reset } : null;
}
