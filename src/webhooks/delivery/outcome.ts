import type { Database, Statement } from '../../database/database.ts';
import { logInfo } from '../../isolate/log.ts';
import { remindOf, type WebhookQueue } from './messages.ts';
import type { Fault } from './post.ts';
import { FAILING_MS, nextAttemptAt } from './schedule.ts';
import { disableWebhook, forgetOldFailures } from './failing-store.ts';
import { insertAttempt, markDelivered, markFailed, type DueRow, type Pair } from './store.ts';

interface OutcomeStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
  readonly schedule: readonly number[];
}

/** The result of an attempt. */
interface Outcome {
  readonly status: number | null;
  readonly fault: Fault | null;
  readonly answer: string;
  /** Milliseconds since the epoch. */
  readonly triedAt: number;
  readonly ms: number;
}

const GONE = 410;

/**
 * Records an attempt of a delivery that was taken until `takenUntil`, in one batch with what follows from it: the
 * delivery is done, waits for its next attempt or is given up, and a webhook whose receiver responded 410, or that
 * failed for too long, is disabled.
 */
export async function recordAttempt(
  { db, queue, schedule }: OutcomeStores,
  row: DueRow,
  takenUntil: number,
  outcome: Outcome,
): Promise<void> {
  const pair: Pair = [row.webhook_id, row.event_id];
  const { triedAt, ms, status, fault, answer: response } = outcome;
  const now = Date.now();
  const record = insertAttempt(pair, { tried_at: triedAt, ms, status, fault, answer: response });
  if (status !== null && status >= 200 && status < 300) {
    await db.batch([...record, ...markDelivered(pair, now)]);
    return;
  }
  const isGone = status === GONE;
  const at = isGone ? null : nextAttemptAt(schedule, row.tries + 1, now);
  const disabling = isGone ? disableWebhook(row, 'gone', now) : disablingOf(row, triedAt, now);
  const results = await db.batch<unknown[]>([...record, ...markFailed(pair, takenUntil, at, triedAt), ...disabling]);
  const named = { webhook_id: row.webhook_id, event_id: row.event_id };
  logInfo('webhook_attempt_failed', { ...named, attempt: row.tries + 1, status, reason: fault, milliseconds: ms });
  const isDisabled = disabling.length > 0 && results.at(-1)?.length === 1;
  if (isDisabled) logInfo('webhook_disabled', { webhook_id: row.webhook_id, by: isGone ? 'gone' : 'failures' });
  if (at !== null) await remindOf(queue, [{ webhook: row.webhook_id, event: row.event_id, at }], now);
}

function disablingOf(row: DueRow, failedAt: number, now: number): Statement[] {
  const failingBefore = now - FAILING_MS;
  if (row.failing_since === null || row.failing_since > failingBefore) return [];
  return [
    forgetOldFailures(row.webhook_id, failedAt, failingBefore, now),
    ...disableWebhook(row, 'failures', now, failingBefore),
  ];
}
