import type { Statement } from '../../database/database.ts';
import { toInstant } from '../../time/instant.ts';
import { andHolds } from '../../database/matcher.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { recordAudited } from '../audit/audit-events.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { givenName } from '../members/given-name.ts';
import { MAY_MANAGE_KEY } from './key-access.ts';
import { toList, type KeyScope } from '../scopes.ts';
import { FORM_IS_OURS, formParams, type SecretForm } from '../form-nonces.ts';

/** The SQL by which people manage keys. Each statement checks what the credential permits with a key. */

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly created_by: string;
  readonly given: string | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  readonly former_until_at: number | null;
  readonly adopted_at: number | null;
}

const COLUMNS = `k.id, k.name, k.scopes, k.created_at, u.name AS created_by, k.expires_at, k.last_used_at, k.revoked_at,
  CASE WHEN k.former_until_at > ?5 THEN k.former_until_at END AS former_until_at, k.adopted_at,
  ${givenName({ id: 'u.id', name: 'u.name', client: 'k.client_id' })} AS given`;

/** @param name a part of the names; '' for all keys */
export function selectKeys(actor: Actor, now: number, { after, limit }: Page, name: string): Statement {
  const params = [...actingParams(actor, 'keys', now), ...after, rowsOfPage(limit)];
  // Each part by an index of its own, so that the number of other people's keys does not slow a member's page down.
  const page = `(created_at, id) < (?8, ?9)${andHolds('name', name, params)} ORDER BY created_at DESC, id DESC LIMIT ?10`;
  return {
    sql: `${ACTING},
      reachable AS (
        SELECT * FROM (
          SELECT * FROM api_keys
          WHERE client_id = (SELECT client_id FROM acting WHERE client_id = ${SOLE_CLIENT} AND role = 'owner') AND ${page})
        UNION ALL
        SELECT * FROM (
          SELECT * FROM api_keys
          WHERE client_id = ${SOLE_CLIENT}
            AND user_id = (SELECT user_id FROM acting WHERE client_id = ${SOLE_CLIENT} AND role <> 'owner') AND ${page}))
      SELECT ${COLUMNS} FROM reachable k JOIN users u ON u.id = k.user_id ORDER BY k.created_at DESC, k.id DESC`,
    params,
  };
}

export function selectKey(actor: Actor, now: number, id: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = ?8 AND ${MAY_MANAGE_KEY}`,
    params: [...actingParams(actor, 'keys', now), id],
  };
}

/** The working keys whose secrets removed members still know. */
export function selectAdoptedKeys(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.adopted_at IS NOT NULL AND NOT coalesce(${HAS_ENDED}, FALSE) AND ${MAY_MANAGE_KEY}
      ORDER BY k.adopted_at DESC, k.id DESC`,
    params: actingParams(actor, 'keys', now),
  };
}

/** The key that a form has created, if it did. */
export function selectKeyOfForm(actor: Actor, now: number, nonce: string): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.id = (SELECT subject_id FROM spent_forms WHERE client_id = ${SOLE_CLIENT} AND nonce = ?8) AND ${MAY_MANAGE_KEY}`,
    params: [...actingParams(actor, 'keys', now), nonce],
  };
}

interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly secretHash: string;
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: number | null;
}

/** The most working keys that a client may have, and the most ended keys that its list keeps. */
export const MAX_KEYS = 500;
const MAX_ENDED_KEYS = 1000;

const HAS_ENDED = `(k.revoked_at IS NOT NULL OR k.expires_at <= ?5)`;

/** Selects a row if the actor's client may have one more key; for `useNonce` and the insert. */
export const ROOM_FOR_KEY = `SELECT client_id, user_id FROM acting
  WHERE client_id = ${SOLE_CLIENT}
    AND (SELECT count(*) FROM api_keys k WHERE k.client_id = ${SOLE_CLIENT} AND NOT coalesce(${HAS_ENDED}, FALSE)) < ${MAX_KEYS}`;

/**
 * Inserts a key in the actor's own name with its audit entry, unless the client has too many, and deletes the oldest
 * ended keys beyond the bound: three statements.
 *
 * @param form the form that asks for the key, if there is one, after `useNonce`
 */
export function insertOwnKey(actor: Actor, now: number, key: NewKey, form: SecretForm | null = null): Statement[] {
  const details = { scopes: key.scopes, expires_at: toInstant(key.expiresAt) };
  return [
    {
      sql: `${ACTING}
        INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, scopes, created_at, expires_at)
        SELECT ?8, client_id, user_id, ?9, ?10, ?11, ?5, ?12 FROM (${ROOM_FOR_KEY})
        WHERE ${FORM_IS_OURS('?13', '?14')}`,
      params: [
        ...actingParams(actor, 'keys', now),
        key.id,
        key.name,
        key.secretHash,
        toList(key.scopes),
        key.expiresAt,
        ...formParams(form),
      ],
    },
    insertAudit(actor, 'keys', now, {
      action: 'key.created',
      subjects: `SELECT client_id, id, name, ?9 FROM api_keys WHERE id = ?8`,
      params: [key.id, JSON.stringify(details)],
    }),
    {
      sql: `${ACTING}
        DELETE FROM api_keys WHERE id IN (
          SELECT k.id FROM api_keys k WHERE k.client_id = ${SOLE_CLIENT} AND ${HAS_ENDED}
          ORDER BY k.created_at DESC, k.id DESC LIMIT -1 OFFSET ${MAX_ENDED_KEYS})`,
      params: actingParams(actor, 'keys', now),
    },
  ];
}

export function renameKey(actor: Actor, now: number, id: string, name: string): Statement[] {
  const other = `k.id = ?8 AND k.name <> ?9 AND ${MAY_MANAGE_KEY}`;
  return [
    insertAudit(actor, 'keys', now, {
      action: 'key.renamed',
      subjects: `SELECT client_id, id, ?9, json_object('former_name', name) FROM api_keys k WHERE ${other}`,
      params: [id, name],
    }),
    {
      sql: `${ACTING} UPDATE api_keys AS k SET name = ?9 WHERE ${other}`,
      params: [...actingParams(actor, 'keys', now), id, name],
    },
  ];
}

/** True if the key ?8 is neither revoked nor expired, and the actor may manage it. */
const IS_WORKING = `k.id = ?8 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?5) AND ${MAY_MANAGE_KEY}`;

/** Selects a row if `rollKey` would find a key to roll; for `useNonce`. */
export const ROLLABLE = `SELECT k.client_id FROM api_keys k WHERE ${IS_WORKING}`;

/** Gives a working key another secret; the second statement returns a row if it did. */
export function rollKey(
  actor: Actor,
  now: number,
  id: string,
  { secretHash, formerUntil }: { secretHash: string; formerUntil: number },
  form: SecretForm | null = null,
): Statement[] {
  const working = `${IS_WORKING} AND ${FORM_IS_OURS('?9', '?10')}`;
  return [
    insertAudit(actor, 'keys', now, {
      action: 'key.rolled',
      subjects: `SELECT client_id, id, name, NULL FROM api_keys k WHERE ${working}`,
      params: [id, ...formParams(form)],
    }),
    {
      sql: `${ACTING}
        UPDATE api_keys AS k SET secret_hash = ?11, former_secret_hash = k.secret_hash, former_until_at = ?12,
          adopted_at = NULL
        WHERE ${working} RETURNING id`,
      params: [...actingParams(actor, 'keys', now), id, ...formParams(form), secretHash, formerUntil],
    },
  ];
}

export function revokeKey(actor: Actor, now: number, id: string): Statement[] {
  const unrevoked = `k.id = ?8 AND k.revoked_at IS NULL AND ${MAY_MANAGE_KEY}`;
  return [
    insertAudit(actor, 'keys', now, {
      action: 'key.revoked',
      subjects: `SELECT client_id, id, name, NULL FROM api_keys k WHERE ${unrevoked}`,
      params: [id],
    }),
    {
      sql: `${ACTING} UPDATE api_keys AS k SET revoked_at = ?5 WHERE ${unrevoked}`,
      params: [...actingParams(actor, 'keys', now), id],
    },
  ];
}

/** Records the event about a key that was created, rolled or revoked by the statements before it in the batch. */
export const recordKeyEvent = (now: number, id: string): Statement =>
  recordAudited(now, 'SELECT client_id FROM api_keys WHERE id = ?2', [id]);
