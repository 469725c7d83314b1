import { requestResets } from '../accounts/users/mailed-resets.ts';
import type { Database } from '../database/database.ts';
import type { Core } from '../http/env.ts';
import { logProblem } from '../isolate/log.ts';
import { MailTokens } from '../mail/mail-tokens.ts';
import type { MailMessage, ResetMessage } from '../mail/messages.ts';
import { sendMails, type Mailer } from '../mail/send.ts';
import { openBinding, openHttp } from '../mail/transport.ts';

/** The messages of the queue about mails, in a module that is loaded by the first of them. */

const RETRY_SECONDS = 5;
// A batch that is over makes room for the next one.
const PATIENCE_MS = 1000;

/** Works off the messages of a batch; `defer` keeps the invocation alive. */
export async function consumeMails(
  core: Core,
  env: Env,
  db: Database,
  messages: readonly Message<MailMessage | ResetMessage>[],
  defer: (work: Promise<unknown>) => void,
): Promise<void> {
  const mailer = mailerOf(core, env);
  // Mail was on when they were sent. The rows wait until their time is over.
  if (mailer === null) return messages.forEach((message) => message.ack());
  const reminders = messages.filter(isReminder);
  const resets = messages.filter(isReset);
  for (const message of reminders) message.ack();
  // A mail that fails here is due again in a minute, which the cron finds.
  const ids = reminders.map(({ body }) => body.mail);
  const sending = sendMails(db, mailer, ids).catch((cause: unknown) =>
    logProblem('mails_not_sent', cause, { messages: ids.length }),
  );
  defer(sending);
  await Promise.all([
    Promise.race([sending, scheduler.wait(PATIENCE_MS)]),
    ...resets.map((message) => settleReset(db, mailer, message)),
  ]);
}

async function settleReset(db: Database, { tokens }: Mailer, message: Message<ResetMessage>): Promise<void> {
  try {
    await requestResets(db, tokens, message.body.reset);
    message.ack();
  } catch (cause) {
    logProblem('reset_not_requested', cause);
    message.retry({ delaySeconds: RETRY_SECONDS * 2 ** (Math.max(1, message.attempts) - 1) });
  }
}

type OfMail = Message<MailMessage | ResetMessage>;
const isReminder = (message: OfMail): message is Message<MailMessage> => 'mail' in message.body;
const isReset = (message: OfMail): message is Message<ResetMessage> => !isReminder(message);

/** The means by which mails are sent; null if mail is off. */
function mailerOf({ config }: Core, env: Env): Mailer | null {
  const { mail, brand, tokenKeys } = config;
  if (mail === null) return null;
  const sender = { name: brand.name, address: mail.from };
  const transport = mail.api ? openHttp(mail.api, sender) : env.MAIL && openBinding(env.MAIL, sender);
  if (!transport) return null;
  return {
    transport,
    tokens: new MailTokens(tokenKeys.map(({ d }) => d)),
    service: { name: brand.name, origin: mail.origin.origin, colour: brand.colour },
  };
}
