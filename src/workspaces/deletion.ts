import { authorize, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import type { Credential } from '../accounts/grants.ts';
import type { GivenName } from '../accounts/members/given-name.ts';
import type { Database, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { forgetHost } from '../links/domain-links-sql.ts';
import { LINKS_A_SLICE, publishSome, restoreSlice, stopSlice, type IdRow } from '../links/client-links-sql.ts';
import type { LinkTiers } from '../links/redirect/resolve.ts';
import { logProblem } from '../isolate/log.ts';
import { DAY_MS } from '../time/day.ts';
import * as store from './deletion-store.ts';

/** The deletion of a client by its last owner, who can undo it for 7 days. */

/** The time for which a deletion can be undone. */
export const UNDO_DAYS = 7;

/** The stores to which a deletion writes. */
type DeletionTiers = Pick<LinkTiers, 'memory' | 'kv'>;

/** The facts that an owner should know before deleting a client. */
export interface DeletionConditions {
  /** The text that has to be typed. */
  readonly name: string;
  /** The other owners who can sign in, by name: only the last owner deletes. */
  readonly otherOwners: readonly OtherOwner[];
  readonly members: number;
  /** Its working keys. */
  readonly keys: number;
}

/** An owner of a client besides the one who asks. */
interface OtherOwner {
  readonly userId: string;
  readonly name: string;
  /** The name that a provider gives to one who has none of their own, or null. */
  readonly given: GivenName | null;
}

/** Throws what `authorize` throws. */
export async function getDeletionConditions(db: Database, actor: Actor): Promise<DeletionConditions> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, store.ConditionsRow]>([
    selectAccess(actor, 'members', now),
    store.selectConditions(actor, now),
  ]);
  authorize(access, actor);
  if (!row) throw new AppError('not_found', 'There is no such workspace.');
  return { name: row.name, otherOwners: otherOwnersIn(row), members: row.members, keys: row.keys };
}

/**
 * Deletes the actor's client, if the actor is its last owner: its credentials are refused at once, and its domains and
 * links stop. What is kept of it is removed by the daily work after `UNDO_DAYS`. Throws `invalid_name` for another name,
 * `edit_conflict`, and what `authorize` throws.
 */
export async function deleteClient(
  db: Database,
  tiers: DeletionTiers,
  actor: Actor & { readonly clientId: string },
  typedName: string,
): Promise<void> {
  const now = Date.now();
  const { clientId } = actor;
  const begin = store.beginDeletion(actor, clientId, typedName, now, now + UNDO_DAYS * DAY_MS);
  const [access, [row], begun, , hosts] = await db.batch<
    [AccessRow, store.ConditionsRow, unknown, never, store.HostRow, never, never]
  >([selectAccess(actor, 'members', now), store.selectConditions(actor, now), ...begin]);
  authorize(access, actor);
  if (begun.length === 0) throw refusalOf(row, typedName);
  await Promise.all(hosts.map(({ host }) => forgetHost({ ...tiers, db }, host)));
  await goOn(clientId, () => continueStopping(db, tiers, clientId, now, pace()));
}

/**
 * Undoes the deletion of a client by one of its owners. Throws `not_found` if the caller belongs to no such client,
 * `not_owner`, and `gone` after its end.
 */
export async function restoreClient(
  db: Database,
  tiers: DeletionTiers,
  credential: Credential,
  clientId: string,
): Promise<void> {
  const [[found]] = await db.batch<[store.SuspendedRow]>([store.selectSuspended(credential, clientId, Date.now())]);
  if (!found) throw new AppError('not_found', 'There is no such workspace.');
  if (found.role !== 'owner') throw new AppError('not_owner', 'Only an owner can restore the workspace. Ask an owner.');
  const at = found.requested_at;
  const [undone, , , hosts] = await db.batch<[unknown, never, never, store.HostRow, never, never]>(
    store.undoDeletion(credential, clientId, at, Date.now()),
  );
  if (undone.length === 0) throw new AppError('gone', 'The workspace can no longer be restored.');
  await Promise.all(hosts.map(({ host }) => forgetHost({ ...tiers, db }, host)));
  await goOn(clientId, () => continueRestoring(db, tiers, clientId, at, pace()));
}

/**
 * Continues, for a visit of a page of the client, with the links that the request of its deletion or undo has left. Throws
 * nothing: the next visit and the daily work do the same.
 */
export async function continueSoon(db: Database, tiers: DeletionTiers, clientId: string): Promise<void> {
  await goOn(clientId, async () => {
    const [[row]] = await db.batch<[store.DeletionRow]>([store.selectDeletion(clientId)]);
    if (!row) return;
    const work = row.undone_at === null ? continueStopping : continueRestoring;
    await work(db, tiers, clientId, row.requested_at, pace());
  });
}

// The change itself is done, so a failure of what follows is logged and not returned to the caller.
async function goOn(clientId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    logProblem('deletion_not_continued', cause, { client_id: clientId });
  }
}

/** Continues to stop the links of a deleted client, until an instant. */
export async function continueStopping(
  db: Database,
  tiers: DeletionTiers | null,
  clientId: string,
  at: number,
  until: number,
): Promise<void> {
  await inSlices(db, tiers, () => stopSlice(clientId, at, Date.now(), store.IS_DELETED), until);
}

/** Continues to restore the links of a client, until an instant, and ends its deletion after the last one. */
export async function continueRestoring(
  db: Database,
  tiers: DeletionTiers | null,
  clientId: string,
  at: number,
  until: number,
): Promise<void> {
  const isDone = await inSlices(db, tiers, () => restoreSlice(clientId, at, Date.now(), store.IS_UNDONE), until);
  if (isDone) await db.batch([store.endUndone(clientId, at)]);
}

// A round trip times out after 8 s, and most clients wait for half a minute.
const pace = () => Date.now() + 15_000;

/**
 * Runs slices until the last one, or until an instant after one of them; the daily work continues. The links of the first
 * slice are published, if there are `tiers`.
 */
async function inSlices(
  db: Database,
  tiers: DeletionTiers | null,
  slice: () => Statement,
  until: number,
): Promise<boolean> {
  for (let count = 0; ; count++) {
    const [rows] = await db.batch<[IdRow]>([slice()]);
    if (count === 0 && tiers && rows.length > 0) await publishSome(db, tiers, rows);
    if (rows.length < LINKS_A_SLICE) return true;
    if (Date.now() >= until) return false;
  }
}

function refusalOf(row: store.ConditionsRow | undefined, typedName: string): AppError {
  if (!row) return new AppError('not_found', 'There is no such workspace.');
  if (otherOwnersIn(row).length > 0) {
    return new AppError(
      'edit_conflict',
      'Only the last owner can delete the workspace. Remove the other owners first, or change their role.',
    );
  }
  if (row.is_restoring === 1) {
    return new AppError(
      'edit_conflict',
      'The links of this workspace are still being restored. Try again in a minute.',
    );
  }
  if (typedName !== row.name) {
    const sentence = `Type the name of the workspace: ${row.name}.`;
    return new AppError('invalid_name', sentence, { faults: [{ field: 'name', sentence }] });
  }
  return new AppError('edit_conflict', 'The workspace was changed in the meantime. Try again.');
}

const otherOwnersIn = ({ other_owners: owners }: store.ConditionsRow): readonly OtherOwner[] => JSON.parse(owners);
