import { insertResetNotices } from './factors/factor-notices.ts';
import type { Database } from '../database/database.ts';
import { generateApiKey } from './keys/api-key.ts';
import type { Credential } from './grants.ts';
import { removeFactors } from './factors/factor-store.ts';
import { endFamiliesOf } from './tokens/refresh-token-store.ts';
import type { Role } from './roles.ts';
import { hashPassword } from './users/password.ts';
import { insertPasswordNotice } from './users/password-notices.ts';
import { endResetsOf } from './users/reset-store.ts';
import { auditJoin, auditKey, auditMember, auditRole } from './operator-audit.ts';
import {
  deleteKeyNamed,
  extendKeyNamed,
  findUserByName,
  insertClientOf,
  insertKey,
  insertMember,
  insertUser,
  revokeKeyNamed,
  selectAccounts,
  updateDisabled,
  updatePassword,
  type AccountRow,
} from './store.ts';

/**
 * The operator's commands for accounts. The input is trusted and already validated, and there is no caller to
 * authorise.
 */

/** Hashes a password; in the queue of the isolate, if the isolate serves other requests. */
export type Hash = (password: string) => Promise<string>;

const hashNow: Hash = async (password) => hashPassword(password);

/** Adds a user to a client, which is created if it is new. Returns null and changes nothing if the name is taken. */
export async function addUser(
  db: Database,
  { name, password, clientId }: { name: string; password: string; clientId: string },
  hash = hashNow,
): Promise<{ userId: string } | null> {
  const user = { id: crypto.randomUUID(), name, passwordHash: await hash(password), now: Date.now() };
  const [inserted] = await db.batch<[unknown, never, never, never]>([
    insertUser(user),
    insertClientOf(user, clientId),
    insertMember(user, clientId, null),
    auditMember('member.joined', user, "json_object('role', m.role)"),
  ]);
  return inserted.length === 1 ? { userId: user.id } : null;
}

/**
 * Adds an existing user to a client, which is created if it is new; a member gets the role. Returns false if there is
 * no such user.
 *
 * @param role by default a new member is an owner, and another one keeps their role
 */
export async function addMember(db: Database, name: string, clientId: string, role?: Role): Promise<boolean> {
  const user = await findUserByName(db, name);
  if (!user) return false;
  const member = { id: user.id, now: Date.now() };
  await db.batch([
    insertClientOf(member, clientId),
    auditJoin(member, clientId, role ?? null),
    auditRole(member, clientId, role ?? null),
    insertMember(member, clientId, role ?? null),
  ]);
  return true;
}

/** Changes a password and ends all token families of the user. Returns false if there is no such user. */
export async function changePassword(db: Database, name: string, password: string, hash = hashNow): Promise<boolean> {
  const user = await findUserByName(db, name);
  if (!user) return false;
  const passwordHash = await hash(password);
  const now = Date.now();
  await db.batch([
    updatePassword(user.id, passwordHash),
    endFamiliesOf(user.id, now),
    endResetsOf(user.id, now),
    auditMember('member.password_reset', { id: user.id, now }),
    insertPasswordNotice({ id: user.id, passwordHash }, now, 'operator'),
  ]);
  return true;
}

/**
 * Removes the second factors of a user who has lost them, and signs them out everywhere; programs keep working. The user and
 * the owners of their clients see it. Returns false if there is no such user.
 */
export async function resetFactors(db: Database, name: string): Promise<boolean> {
  const user = await findUserByName(db, name);
  if (!user) return false;
  const now = Date.now();
  await db.batch([
    auditMember('member.factors_reset', { id: user.id, now }),
    ...removeFactors(user.id, now),
    ...insertResetNotices(user.id, now),
  ]);
  return true;
}

/** Disables an account, its keys and all of its token families. Returns false if there is no such user. */
export async function disableUser(db: Database, name: string): Promise<boolean> {
  const user = await findUserByName(db, name);
  if (!user) return false;
  const now = Date.now();
  await db.batch([
    auditMember('member.disabled', { id: user.id, now }, 'NULL', 'u.disabled_at IS NULL'),
    updateDisabled(user.id, user.disabledAt ?? now),
    endFamiliesOf(user.id, now),
  ]);
  return true;
}

/**
 * Enables an account again: its keys work again, its ended families stay ended. Returns false if there is no such user.
 */
export async function enableUser(db: Database, name: string): Promise<boolean> {
  const user = await findUserByName(db, name);
  if (!user) return false;
  await db.batch([
    auditMember('member.enabled', { id: user.id, now: Date.now() }, 'NULL', 'u.disabled_at IS NOT NULL'),
    updateDisabled(user.id, null),
  ]);
  return true;
}

/**
 * Creates an API key; its text is returned only this once. Returns null if the client has no working member.
 *
 * @param key by default a new one; with one of the caller's, a repeated call creates no second key
 * @param isListed whether the client's audit log has it; false for a key of the tools themselves
 */
export async function createKey(
  db: Database,
  clientId: string,
  name: string,
  lifetimeMs: number | null = null,
  key = generateApiKey(),
  isListed = true,
): Promise<{ text: string } | null> {
  const now = Date.now();
  const expiresAt = lifetimeMs === null ? null : now + lifetimeMs;
  const [inserted] = await db.batch<[unknown]>([
    insertKey({ id: key.id, clientId, name, secretHash: key.secretHash, now, expiresAt }),
    ...(isListed ? [auditKey(key.id, now)] : []),
  ]);
  return inserted.length === 1 ? { text: key.text } : null;
}

/** A key that the operator has created by this name. */
interface NamedKey {
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
}

/** The credential of such a key, which expires that long after now; null if it has ended. */
export async function useKeyNamed(db: Database, key: NamedKey, lifetimeMs: number): Promise<Credential | null> {
  const now = Date.now();
  const [[row]] = await db.batch<[{ readonly secret_hash: string }]>([extendKeyNamed(key, now + lifetimeMs, now)]);
  return row ? { kind: 'api_key', keyId: key.id, secretHash: row.secret_hash } : null;
}

/** Revokes such a key. */
export async function endKeyNamed(db: Database, key: NamedKey): Promise<void> {
  await db.batch([revokeKeyNamed(key, Date.now())]);
}

/** Deletes such a key, which has created nothing, so that its client does not see it. */
export async function removeKeyNamed(db: Database, key: NamedKey): Promise<void> {
  await db.batch([deleteKeyNamed(key)]);
}

/** All users by name. */
export async function listAccounts(db: Database): Promise<readonly AccountRow[]> {
  const [rows] = await db.batch<[AccountRow]>([selectAccounts(Date.now())]);
  return rows;
}
