import type { Database } from '../../database/database.ts';
import { AppError, STATUS_BY_CODE } from '../../errors.ts';
import { logProblem } from '../../isolate/log.ts';
import { toInstant } from '../../time/instant.ts';
import { remindOf, type DeliveryMessage, type WebhookQueue } from './messages.ts';
import { portFaultOf } from '../ports.ts';
import { post, type Fault, type Posted } from './post.ts';
import type { Receivers } from './receivers.ts';
import { recordAttempt } from './outcome.ts';
import { TAKEN_MS } from './schedule.ts';
import { putBack, selectWaiting, takeDue, type DueRow, type Pair, type PairRow, type TimedPair } from './store.ts';
import { HOUR_MS } from '../../time/day.ts';

/** The stores of attempts, where `receivers` belongs to the isolate. */
export interface DeliveryStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
  readonly receivers: Receivers;
  /** Decrypts the secrets that sign for a webhook now. Throws if no key fits. */
  readonly openSecrets: (webhook: SealedSecrets, now: number) => Promise<readonly string[]>;
  /**
   * Throws an `AppError`: `resolver_unavailable`, or any other code if a webhook must not lead to the host of the URL.
   *
   * @param origin at which the owner has reached the service, if it is known
   */
  readonly checkHost: (url: URL, origin: string | null) => Promise<void>;
  /** The seconds before each attempt. */
  readonly schedule: readonly number[];
  readonly attemptMs?: number;
}

/** The secrets of a webhook as they are stored. */
interface SealedSecrets {
  readonly id: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  readonly formerSecretUntil: number | null;
}

/** For how long a delivery waits that cannot be attempted for a reason of the service's own. */
const HINDERED_MS = 60_000;

/**
 * Begins an attempt of each delivery that is due, and returns the attempts, which run side by side and never fail. Only one
 * invocation at a time attempts a delivery. A delivery whose receiver is busy or hangs is postponed, which is no attempt.
 * Throws what the database throws, and then nothing was begun.
 */
export async function beginAttempts(
  stores: DeliveryStores,
  messages: readonly DeliveryMessage[],
): Promise<readonly Promise<void>[]> {
  const now = Date.now();
  const takenUntil = now + TAKEN_MS;
  const { taken, postponed } = divide(stores.receivers, messages, now);
  try {
    const [waiting, due] = await stores.db.batch<[DueRow, PairRow]>([
      selectWaiting(messages.map(pairOf)),
      takeDue([...taken.map((message) => ({ ...message, at: takenUntil })), ...postponed].map(timedOf), now),
    ]);
    const isDue = new Set(due.map(keyOf));
    const later = postponed.filter((message) => isDue.has(keyOfMessage(message)));
    await remindOf(stores.queue, [...later, ...earlyOf(messages, waiting, now)], now);
    const rows = new Map(waiting.map((row) => [keyOf(row), row]));
    return taken.map((message) => {
      const row = rows.get(keyOfMessage(message));
      if (row !== undefined && isDue.has(keyOf(row))) return attempt(stores, row, now, takenUntil);
      stores.receivers.leave(message.webhook, now);
      return Promise.resolve();
    });
  } catch (cause) {
    for (const { webhook } of taken) stores.receivers.leave(webhook, now);
    throw cause;
  }
}

/** Divides messages into those to attempt and those that wait, whose `at` is until when. */
function divide(receivers: Receivers, messages: readonly DeliveryMessage[], now: number) {
  const [taken, postponed]: [DeliveryMessage[], DeliveryMessage[]] = [[], []];
  const unique = new Map(messages.map((message) => [keyOfMessage(message), message]));
  for (const message of unique.values()) {
    const waitMs = receivers.take(message.webhook, now);
    if (waitMs === 0) taken.push(message);
    else postponed.push({ ...message, at: now + waitMs });
  }
  return { taken, postponed };
}

// A message that came before its time, since the queue delays none for longer. One whose time has been changed meanwhile is
// not sent again: what changed the time has sent another one.
function earlyOf(messages: readonly DeliveryMessage[], waiting: readonly DueRow[], now: number): DeliveryMessage[] {
  const times = new Map(waiting.map((row) => [keyOf(row), row.next_try_at]));
  return messages.filter((message) => message.at > now && times.get(keyOfMessage(message)) === message.at);
}

async function attempt(stores: DeliveryStores, row: DueRow, now: number, takenUntil: number): Promise<void> {
  const pair: Pair = [row.webhook_id, row.event_id];
  try {
    // The event can be delivered again once the webhook is active.
    if (row.disabled_at !== null) return void (await stores.db.batch([putBack(pair, takenUntil, null)]));
    const ready = await prepare(stores, row, now);
    if ('fault' in ready) {
      // What keeps this delivery from being sent keeps the others of its webhook, too.
      if (ready.waitMs > 0) stores.receivers.timedOut(row.webhook_id, Date.now());
      if (row.created_at > now - ready.waitMs) return await hinder(stores, row, takenUntil);
    }
    const startedAt = Date.now();
    const posted = 'fault' in ready ? notSent(ready) : await send(stores, row, ready, startedAt);
    const outcome = { ...posted, triedAt: startedAt, ms: Date.now() - startedAt };
    await recordAttempt(stores, row, takenUntil, outcome);
  } catch (cause) {
    // The row says that the delivery is taken until a moment, after which the sweep finds it.
    logProblem('webhook_attempt_not_recorded', cause, { webhook_id: row.webhook_id, event_id: row.event_id });
  } finally {
    stores.receivers.leave(row.webhook_id, now, Date.now());
  }
}

async function send(
  { receivers, attemptMs }: DeliveryStores,
  row: DueRow,
  secrets: readonly string[],
  at: number,
): Promise<Posted> {
  const body = `{"type":${JSON.stringify(row.type)},"timestamp":"${toInstant(row.happened_at)}","data":${row.data}}`;
  const message = { id: row.event_id, timestampSeconds: Math.floor(at / 1000), body };
  const posted = await post(row.url, message, secrets, attemptMs);
  if (posted.isTimedOut) receivers.timedOut(row.webhook_id, Date.now());
  else if (posted.status !== null) receivers.responded(row.webhook_id);
  return posted;
}

/** Why a delivery cannot be sent. */
interface Obstacle {
  readonly fault: Exclude<Fault, 'timeout'>;
  /** The age at which this becomes a failed attempt. Until then a delivery waits: the service may be the reason. */
  readonly waitMs: number;
}

const REFUSED: Obstacle = { fault: 'refused_host', waitMs: 0 };
// A webhook can be older than the rules of ports.
const REFUSED_PORT: Obstacle = { fault: 'refused_port', waitMs: 0 };
// The servers of the name may never respond.
const UNRESOLVED: Obstacle = { fault: 'unreachable', waitMs: HOUR_MS };
// The key may never come back.
const UNREADABLE: Obstacle = { fault: 'unreadable_secret', waitMs: HOUR_MS };
const UNAVAILABLE: Obstacle = { fault: 'unreachable', waitMs: Infinity };

const notSent = ({ fault }: Obstacle): Posted => ({ status: null, fault, isTimedOut: false, answer: '' });

/** The secrets that sign, if the delivery can be sent. */
async function prepare(
  { openSecrets, checkHost }: DeliveryStores,
  row: DueRow,
  now: number,
): Promise<readonly string[] | Obstacle> {
  const url = new URL(row.url);
  if (portFaultOf(url) !== null) return REFUSED_PORT;
  const { webhook_id: id, secret, former_secret: formerSecret, former_secret_until: formerSecretUntil } = row;
  let secrets: readonly string[];
  try {
    secrets = await openSecrets({ id, secret, formerSecret, formerSecretUntil }, now);
  } catch (cause) {
    logProblem('webhook_secret_unreadable', cause, { webhook_id: id });
    return UNREADABLE;
  }
  try {
    await checkHost(url, row.origin);
    return secrets;
  } catch (cause) {
    if (cause instanceof AppError && STATUS_BY_CODE[cause.code] < 500) return REFUSED;
    logProblem('webhook_host_not_checked', cause);
    return cause instanceof AppError && cause.code === 'resolver_unavailable' ? UNRESOLVED : UNAVAILABLE;
  }
}

async function hinder({ db, queue }: DeliveryStores, row: DueRow, takenUntil: number): Promise<void> {
  const now = Date.now();
  const at = now + HINDERED_MS;
  await db.batch([putBack([row.webhook_id, row.event_id], takenUntil, at)]);
  await remindOf(queue, [{ webhook: row.webhook_id, event: row.event_id, at }], now);
}

const pairOf = ({ webhook, event }: DeliveryMessage): Pair => [webhook, event];
const timedOf = ({ webhook, event, at }: DeliveryMessage): TimedPair => [webhook, event, at];
const keyOf = ({ webhook_id, event_id }: PairRow): string => `${webhook_id} ${event_id}`;
const keyOfMessage = ({ webhook, event }: DeliveryMessage): string => `${webhook} ${event}`;
