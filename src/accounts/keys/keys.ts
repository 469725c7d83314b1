import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { Page } from '../../input/pagination.ts';
import { futureInstant } from '../../input/schemas.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { generateApiKey } from './api-key.ts';
import * as store from './key-store.ts';
import { listPage } from '../list-page.ts';
import { toGivenName, type GivenName } from '../members/given-name.ts';
import { keyName } from '../users/names.ts';
import { isKeyScope, KEY_SCOPES, type KeyScope } from '../scopes.ts';

/** An API key as people see it. Its secret is not part of it. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** All instants are milliseconds since the epoch. */
  readonly createdAt: number;
  /** The name of the user who created the key, or has adopted it since: the key ends with their account. */
  readonly createdBy: string;
  /** The name that a provider gives to that user, if they have none of their own; for pages. */
  readonly given: GivenName | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Until when the secret before the last roll works, or null. */
  readonly formerSecretEndsAt: number | null;
  /** When it was transferred from a removed member, who knows the secret; null once it was rolled. */
  readonly adoptedAt: number | null;
}

/** Some of the scopes that keys can have, in their order. */
export const keyScopes = () =>
  z
    .array(z.enum(KEY_SCOPES, { error: 'must be links:read, links:write or stats:read' }))
    .min(1, 'must contain at least one of links:read, links:write and stats:read')
    .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope)));

/** The fields of a new key. */
export const newKeyFields = lazy(() =>
  z.strictObject({
    name: keyName(),
    scopes: keyScopes().meta({ description: 'The permissions of the key' }),
    expires_at: futureInstant()
      .nullish()
      .meta({ description: 'When the key expires; if left out, it does not expire' }),
  }),
);

export type NewKeyFields = z.output<ReturnType<typeof newKeyFields>>;

export const keyChangeFields = lazy(() => z.strictObject({ name: keyName() }));

// So that a program can be given the new secret meanwhile.
const FORMER_SECRET_MS = 24 * 3600 * 1000;

export const rollFields = lazy(() => ({
  former_secret: z
    .enum(FORMER_SECRETS, { error: 'must be keep, which lets the former secret work for 24 hours, or end' })
    .default('keep')
    .meta({ description: 'Whether the previous secret works for 24 more hours or stops working at once' }),
}));

const FORMER_SECRETS = ['keep', 'end'] as const;
export type FormerSecret = (typeof FORMER_SECRETS)[number];

/** Until when the former secret of a key that is rolled now works, in milliseconds since the epoch. */
export const formerUntil = (now: number, former: FormerSecret): number =>
  former === 'end' ? now : now + FORMER_SECRET_MS;

/**
 * Lists keys, newest first: an owner sees all keys of the client, a member their own. Throws what `authorize`
 * throws.
 *
 * @param name a part of the names, of at most 200 characters; '' for all keys
 */
export async function listKeys(
  db: Database,
  actor: Actor,
  page: Page,
  name = '',
): Promise<{ keys: readonly Key[]; cursor: string | null }> {
  const { items: keys, cursor } = await listPage(db, actor, page, {
    permission: 'keys',
    select: (now) => store.selectKeys(actor, now, page, name),
    positionOf: (row: store.KeyRow) => [row.created_at, row.id],
    toItem: toKey,
  });
  return { keys, cursor };
}

/** Throws `not_found`, and what `authorize` throws. */
export async function getKey(db: Database, actor: Actor, id: string): Promise<Key> {
  const now = Date.now();
  const [access, keys] = await db.batch<[AccessRow, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    store.selectKey(actor, now, id),
  ]);
  authorize(access, actor);
  return found(keys);
}

/**
 * Creates a key in the actor's own name; its text is returned only this once. Throws `too_many_keys`, and what
 * `authorize` throws.
 */
export async function issueKey(db: Database, actor: Actor, fields: NewKeyFields): Promise<{ key: Key; text: string }> {
  const now = Date.now();
  const { text, id, secretHash } = generateApiKey();
  const { name, scopes, expires_at: expiresAt = null } = fields;
  const [access, , , , keys] = await db.batch<[AccessRow, never, never, never, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    ...store.insertOwnKey(actor, now, { id, name, secretHash, scopes, expiresAt }),
    store.selectKey(actor, now, id),
    store.recordKeyEvent(now, id),
  ]);
  authorize(access, actor);
  if (keys.length === 0) throw tooManyKeys();
  return { key: found(keys), text };
}

export function tooManyKeys(): AppError {
  return new AppError(
    'too_many_keys',
    `The limit of ${store.MAX_KEYS} active keys is reached. Revoke one that is not used.`,
  );
}

/** Lists the working keys that were transferred from removed members, who know their secrets until each is rolled. */
export async function listAdoptedKeys(db: Database, actor: Actor): Promise<readonly Key[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    store.selectAdoptedKeys(actor, now),
  ]);
  authorize(access, actor);
  return rows.map(toKey);
}

/** Renames a key. Throws `not_found`, and what `authorize` throws. */
export async function renameKey(db: Database, actor: Actor, id: string, name: string): Promise<Key> {
  const now = Date.now();
  const [access, , , keys] = await db.batch<[AccessRow, never, never, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    ...store.renameKey(actor, now, id, name),
    store.selectKey(actor, now, id),
  ]);
  authorize(access, actor);
  return found(keys);
}

/**
 * Gives a key a new secret, returned only this once. The former secret works for 24 more hours or ends at once, and an
 * earlier one ends at once. Throws `not_found`, `key_ended`, and what `authorize` throws.
 */
export async function rollKey(
  db: Database,
  actor: Actor,
  id: string,
  former: FormerSecret = 'keep',
): Promise<{ key: Key; text: string }> {
  const now = Date.now();
  const { text, secretHash } = generateApiKey(id);
  const [access, , rolled, keys] = await db.batch<[AccessRow, never, unknown, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    ...store.rollKey(actor, now, id, { secretHash, formerUntil: formerUntil(now, former) }),
    store.selectKey(actor, now, id),
    store.recordKeyEvent(now, id),
  ]);
  authorize(access, actor);
  const key = found(keys);
  if (rolled.length === 0) throw keyEnded();
  return { key, text };
}

/** Revokes a key: the next request with it is refused. A revoked key stays revoked. Throws like `renameKey`. */
export async function revokeKey(db: Database, actor: Actor, id: string): Promise<void> {
  const now = Date.now();
  const [access, , , keys] = await db.batch<[AccessRow, never, never, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    ...store.revokeKey(actor, now, id),
    store.selectKey(actor, now, id),
    store.recordKeyEvent(now, id),
  ]);
  authorize(access, actor);
  found(keys);
}

export function keyEnded(): AppError {
  return new AppError('key_ended', 'The key is revoked or has expired. Create a new one.');
}

export function found([row]: readonly store.KeyRow[]): Key {
  if (!row) throw new AppError('not_found', 'There is no key with this id that you can manage.');
  return toKey(row);
}

function toKey(row: store.KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' ').filter(isKeyScope),
    createdAt: row.created_at,
    createdBy: row.created_by,
    given: toGivenName(row.given),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    formerSecretEndsAt: row.former_until_at,
    adoptedAt: row.adopted_at,
  };
}
