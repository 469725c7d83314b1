import { Hono } from 'hono';
import {
  issueKey,
  keyChangeFields,
  listKeys,
  newKeyFields,
  renameKey,
  revokeKey,
  rollKey,
} from '../accounts/keys/keys.ts';
import type { Key } from '../accounts/keys/keys.ts';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat, SECRET_IS_SHOWN_ONCE } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { keyRollQuery } from '../http/account-queries.ts';
import { readQuery } from '../http/query.ts';
import { toInstant } from '../time/instant.ts';
import { listLinksOfKey } from '../links/list/key-links.ts';
import { parseFields } from '../input/validation.ts';
import { toManagedRecord } from './record.ts';

/** `/v1/keys`: the API keys of a client. */
export function keysApi(): Hono<HttpEnv> {
  const keys = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: BEARER_CHALLENGE });

  keys.get('/v1/keys', refusal, async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('keys', readQuery(c));
    const { keys, cursor } = await listKeys(c.var.db, await actor(query), query.page);
    return c.json({ keys: keys.map(present), cursor });
  });

  keys.post('/v1/keys', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, SECRET_IS_SHOWN_ONCE);
    const query = readActorQuery(c);
    const fields = parseFields(newKeyFields(), await readJson(c.req.raw));
    const { key, text } = await issueKey(c.var.db, await actor(query), fields);
    return c.json({ ...present(key), key: text }, 201);
  });

  keys.patch('/v1/keys/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const { name } = parseFields(keyChangeFields(), await readJson(c.req.raw));
    return c.json(present(await renameKey(c.var.db, await actor(query), c.req.param('id'), name)));
  });

  keys.get('/v1/keys/:id/links', refusal, async (c) => {
    const actor = readPerson(c);
    const id = c.req.param('id');
    const query = parseListQuery(`links of ${id}`, readQuery(c));
    const { links, cursor, scannedTo } = await listLinksOfKey(c.var.db, await actor(query), id, query.page);
    return c.json({
      links: links.map((link) => toManagedRecord(link, c.var.site)),
      cursor,
      scanned_to: toInstant(scannedTo),
    });
  });

  keys.post('/v1/keys/:id/roll', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, SECRET_IS_SHOWN_ONCE);
    const query = parseFields(keyRollQuery(), readQuery(c));
    const { key, text } = await rollKey(c.var.db, await actor(query), c.req.param('id'), query.former_secret);
    return c.json({ ...present(key), key: text });
  });

  keys.delete('/v1/keys/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    await revokeKey(c.var.db, await actor(query), c.req.param('id'));
    return c.body(null, 204);
  });

  return keys;
}

function present(key: Key) {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    created_at: toInstant(key.createdAt),
    created_by: key.createdBy,
    expires_at: toInstant(key.expiresAt),
    last_used_at: toInstant(key.lastUsedAt),
    revoked_at: toInstant(key.revokedAt),
    former_secret_ends_at: toInstant(key.formerSecretEndsAt),
    adopted_at: toInstant(key.adoptedAt),
  };
}
