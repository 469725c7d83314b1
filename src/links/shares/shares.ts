import { authorize, authorizeFirst, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { hashSecret, newNonce } from '../../secrets/random-secrets.ts';
import type { WorkQueue } from '../../isolate/work-queue.ts';
import { hashLinkPassword } from '../password/hash-password.ts';
import { deleteShare, insertShare, selectShare, updatePassword, type Shared, type ShareRow } from './share-store.ts';
import type { ShareSecrets } from './share-secrets.ts';

/** Public statistics pages, as those see them who may edit links. */

/** A public statistics page. */
export interface Share {
  readonly id: string;
  /** The secret of its address; null if it was derived from a key that is no longer there. */
  readonly secret: string | null;
  readonly hasPassword: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type { Shared } from './share-store.ts';

export interface ShareTools {
  readonly db: Database;
  /** The queue in which passwords are hashed. */
  readonly hashing: WorkQueue;
  readonly secrets: ShareSecrets;
}

/** Finds the page of what is shared; null if it has none. Throws `not_found`, and what `authorize` throws. */
export async function findShare(
  { db, secrets }: Pick<ShareTools, 'db' | 'secrets'>,
  actor: Actor,
  shared: Shared,
): Promise<Share | null> {
  const now = Date.now();
  const [access, [subject], [row]] = await db.batch<[AccessRow, object, ShareRow]>([
    selectAccess(actor, 'links:write', now),
    ...selectShare(actor, now, shared),
  ]);
  authorize(access, actor);
  if (!subject) throw noSuchSubject();
  return row ? toShare(row, secrets) : null;
}

/**
 * Creates the page of what is shared, and gives it; one that is there stays as it is. Throws `edit_conflict` if that
 * one has no password and this one was to have one, `not_found`, `busy`, and what `authorize` throws.
 */
export async function createShare(
  tools: ShareTools,
  actor: Actor,
  shared: Shared,
  password: string | null,
): Promise<Share | null> {
  const { db, secrets } = tools;
  const passwordHash = await hashOf(tools, actor, password);
  const now = Date.now();
  const id = newNonce();
  const share = { id, secretHash: hashSecret(secrets.of(id)), passwordHash };
  const [access, , , [subject], [row]] = await db.batch<[AccessRow, never, never, object, ShareRow]>([
    selectAccess(actor, 'links:write', now),
    ...insertShare(actor, now, shared, share),
    ...selectShare(actor, now, shared),
  ]);
  authorize(access, actor);
  if (!subject) throw noSuchSubject();
  if (passwordHash !== null && row?.has_password === 0) throw isUnprotected();
  return row ? toShare(row, secrets) : null;
}

/** Sets the password of a page; null removes it. Throws `not_found`, `busy`, and what `authorize` throws. */
export async function setSharePassword(
  tools: Pick<ShareTools, 'db' | 'hashing'>,
  actor: Actor,
  shared: Shared,
  password: string | null,
): Promise<void> {
  const { db } = tools;
  const passwordHash = await hashOf(tools, actor, password);
  const now = Date.now();
  const [access, , [changed]] = await db.batch<[AccessRow, never, object]>([
    selectAccess(actor, 'links:write', now),
    ...updatePassword(actor, now, shared, passwordHash),
  ]);
  authorize(access, actor);
  if (!changed) throw noSuchSubject();
}

/**
 * Revokes a page: its address no longer works, and a new page gets another one. Throws `not_found`, and what
 * `authorize` throws.
 */
export async function revokeShare(db: Database, actor: Actor, shared: Shared): Promise<void> {
  const now = Date.now();
  const [access, , [deleted]] = await db.batch<[AccessRow, never, object]>([
    selectAccess(actor, 'links:write', now),
    ...deleteShare(actor, now, shared),
  ]);
  authorize(access, actor);
  if (!deleted) throw noSuchSubject();
}

function toShare(
  { id, secret_hash: hash, has_password, created_at: createdAt }: ShareRow,
  secrets: ShareSecrets,
): Share {
  return { id, secret: secrets.find(id, hash), hasPassword: has_password === 1, createdAt };
}

function noSuchSubject(): AppError {
  return new AppError('not_found', 'There is no such page.');
}

// Otherwise the user would assume that the typed password protects the page.
function isUnprotected(): AppError {
  return new AppError('edit_conflict', 'There is a public page already, without a password. Set its password here.');
}

async function hashOf(
  { db, hashing }: Pick<ShareTools, 'db' | 'hashing'>,
  actor: Actor,
  password: string | null,
): Promise<string | null> {
  if (password === null) return null;
  await authorizeFirst(db, actor, 'links:write');
  return hashLinkPassword(hashing, password);
}
