import { logInfo, logProblem } from '../isolate/log.ts';
import { continueRestoring, continueStopping } from './deletion.ts';
import { selectDeletions, selectEndOf, type DeletionRow } from './deletion-store.ts';
import { AppError } from '../errors.ts';
import type { Database } from '../database/database.ts';
import { purgeClient, type ClientStores, type PurgePace } from './purge.ts';

// The cron has 15 minutes for all of its work, and an invocation may make 1,000 calls.
const RUN_MS = 120_000;
const LIMITS = 200;
const ENTRIES = 100;

/**
 * Continues the deletions of clients: stops or restores links that a request has left, and removes what is kept of
 * clients whose deletion can no longer be undone. What takes longer continues the next day. Throws the last failure
 * after all others are done.
 */
export async function continueDeletions(stores: ClientStores, now: number, runMs = RUN_MS): Promise<void> {
  const pace: PurgePace = { until: Date.now() + runMs, limits: LIMITS, entries: ENTRIES };
  const [deletions] = await stores.db.batch<[DeletionRow]>([selectDeletions(now)]);
  let failure: unknown;
  for (const deletion of deletions) {
    try {
      await continueOne(stores, deletion, now, pace);
    } catch (cause) {
      failure = cause;
      logProblem('deletion_not_continued', cause, { client_id: deletion.client_id });
    }
    if (Date.now() >= pace.until) break;
  }
  if (failure !== undefined) throw failure;
}

async function continueOne(stores: ClientStores, deletion: DeletionRow, now: number, pace: PurgePace): Promise<void> {
  const { client_id: clientId, requested_at: at } = deletion;
  if (deletion.undone_at !== null) return continueRestoring(stores.db, null, clientId, at, pace.until);
  if (deletion.ends_at > now) return continueStopping(stores.db, null, clientId, at, pace.until);
  if (await purgeClient(stores, clientId, pace)) logInfo('client_removed', { client_id: clientId });
}

/** Refuses work of the operator for a client that is deleted. Throws `edit_conflict`. */
export async function refuseDeleted(db: Database, clientId: string): Promise<void> {
  const [[row]] = await db.batch<[{ readonly ends_at: number }]>([selectEndOf(clientId)]);
  if (!row) return;
  const end = new Date(row.ends_at).toISOString();
  throw new AppError(
    'edit_conflict',
    `The client ${clientId} was deleted by its owner: an owner can restore it on the pages until ${end}. Choose another client.`,
  );
}
