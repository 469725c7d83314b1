import type { Database } from '../../database/database.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { generateApiKey } from './api-key.ts';
import * as store from './key-store.ts';
import { formerUntil, found, keyEnded, tooManyKeys } from './keys.ts';
import type { FormerSecret, Key, NewKeyFields } from './keys.ts';
import { useNonce } from '../form-nonces.ts';

/** Creates and rolls keys for forms, which a reload may send again. */

/** A key and its secret text; the text is null if the form was sent before, since it was shown then. */
export interface KeyOfForm {
  readonly key: Key;
  readonly text: string | null;
}

/** Like `issueKey`, but once for each nonce. Throws `too_many_keys`, and what `authorize` throws. */
export async function issueKeyOnce(
  db: Database,
  actor: Actor,
  nonce: string,
  fields: NewKeyFields,
): Promise<KeyOfForm> {
  const now = Date.now();
  const { text, id, secretHash } = generateApiKey();
  const { name, scopes, expires_at: expiresAt = null } = fields;
  const form = { nonce, secretHash };
  const [access, , , , , keys] = await db.batch<[AccessRow, never, never, never, never, store.KeyRow]>([
    selectAccess(actor, 'keys', now),
    useNonce(actor, 'keys', now, form, id, store.ROOM_FOR_KEY),
    ...store.insertOwnKey(actor, now, { id, name, secretHash, scopes, expiresAt }, form),
    store.selectKeyOfForm(actor, now, nonce),
    store.recordKeyEvent(now, id),
  ]);
  authorize(access, actor);
  if (keys.length === 0) throw tooManyKeys();
  const key = found(keys);
  return { key, text: key.id === id ? text : null };
}

/** Like `rollKey`, but once for each nonce. Throws `not_found`, `key_ended`, and what `authorize` throws. */
export async function rollKeyOnce(
  db: Database,
  actor: Actor,
  nonce: string,
  id: string,
  former: FormerSecret = 'keep',
): Promise<KeyOfForm> {
  const now = Date.now();
  const { text, secretHash } = generateApiKey(id);
  const form = { nonce, secretHash };
  const [access, , , rolled, keys, used] = await db.batch<
    [AccessRow, never, never, unknown, store.KeyRow, store.KeyRow]
  >([
    selectAccess(actor, 'keys', now),
    useNonce(actor, 'keys', now, form, id, store.ROLLABLE),
    ...store.rollKey(actor, now, id, { secretHash, formerUntil: formerUntil(now, former) }, form),
    store.selectKey(actor, now, id),
    store.selectKeyOfForm(actor, now, nonce),
    store.recordKeyEvent(now, id),
  ]);
  authorize(access, actor);
  const key = found(keys);
  if (rolled.length > 0) return { key, text };
  if (used.length === 0) throw keyEnded();
  return { key, text: null };
}
