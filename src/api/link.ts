import { Hono, type Context } from 'hono';
import type { Actor } from '../accounts/access.ts';
import { readActor, readActorQuery, readReader } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { etagOf, isKnown, readIfMatch } from '../http/precondition.ts';
import { readQuery } from '../http/query.ts';
import { toInstant } from '../time/instant.ts';
import { deleteLink, editLink, restoreLink, restoreTarget } from '../links/edit/edit.ts';
import { listHistory, type HistoryEntry } from '../links/edit/history.ts';
import { isStored, textOfColumn } from '../links/fields/content.ts';
import { parseLinkChange } from '../links/input.ts';
import { getClicksLeft, getLink } from '../links/edit/get-link.ts';
import type { ManagedLink } from '../links/managed-link.ts';
import { parsePreviewVisit } from '../links/visit/preview-visit.ts';
import { resolveVisit } from '../links/visit/resolve-visit.ts';
import { toManagedRecord } from './record.ts';
import { toResolvedRecord } from './resolved.ts';

/** `/v1/links/{id}`: one link, its edits, its visits and its history. */
export function linkApi(): Hono<HttpEnv> {
  const link = new Hono<HttpEnv>();
  link.use('/v1/links/:id/*', refuseWith({ challenge: ANY_CHALLENGE }));
  link.use('/v1/links/:id', refuseWith({ challenge: ANY_CHALLENGE }));

  link.get('/v1/links/:id', async (c) => {
    const actor = await readWholeActor(c);
    const { link: found, clicks } = await getLink(c.var, actor, c.req.param('id'));
    c.header('ETag', etagOf(found.revision));
    if (isKnown(c, found.revision)) return c.body(null, 304);
    const clicksLeft = await getClicksLeft(c.var.openLimits, found);
    return c.json({ ...toManagedRecord(found, c.var.site), clicks_left: clicksLeft, clicks });
  });

  link.patch('/v1/links/:id', async (c) => {
    const actAs = readActor(c);
    const query = readActorQuery(c);
    const change = parseLinkChange(await readJson(c.req.raw), c.var.site);
    const isExpected = readIfMatch(c);
    const actor = await actAs(query);
    return respondWithLink(c, await editLink(linkToolsOf(c), actor, c.req.param('id'), change, isExpected));
  });

  link.delete('/v1/links/:id', async (c) => {
    const { actor, isExpected } = await readEditor(c);
    await deleteLink(linkToolsOf(c), actor, c.req.param('id'), isExpected);
    return c.body(null, 204);
  });

  link.post('/v1/links/:id/restore', async (c) => {
    const { actor, isExpected } = await readEditor(c);
    return respondWithLink(c, await restoreLink(linkToolsOf(c), actor, c.req.param('id'), isExpected));
  });

  link.post('/v1/links/:id/resolve', async (c) => {
    const actAs = readReader(c);
    const query = readActorQuery(c);
    const visit = parsePreviewVisit(await readJson(c.req.raw));
    return c.json(toResolvedRecord(await resolveVisit(c.var.db, await actAs(query), c.req.param('id'), visit)));
  });

  link.get('/v1/links/:id/history', async (c) => {
    const actAs = readActor(c);
    const id = c.req.param('id');
    const query = parseListQuery(`history of ${id}`, readQuery(c));
    const { history, cursor } = await listHistory(c.var.db, await actAs(query), id, query.page);
    return c.json({ history: history.map(presentEntry), cursor });
  });

  link.post('/v1/links/:id/history/:n/restore', async (c) => {
    const { actor, isExpected } = await readEditor(c);
    const entry = { id: c.req.param('id'), n: parseNumber(c.req.param('n')) };
    return respondWithLink(c, await restoreTarget(linkToolsOf(c), actor, c.var.site, entry, isExpected));
  });
  return link;
}

async function readWholeActor(c: Context<HttpEnv>): Promise<Actor> {
  const actAs = readActor(c);
  return actAs(readActorQuery(c));
}

/** Reads the credential and the precondition of an edit. Faults of the request come before those of the credential. */
async function readEditor(c: Context<HttpEnv>) {
  const actAs = readActor(c);
  const query = readActorQuery(c);
  const isExpected = readIfMatch(c);
  return { actor: await actAs(query), isExpected };
}

function respondWithLink(c: Context<HttpEnv>, link: ManagedLink): Response {
  c.header('ETag', etagOf(link.revision));
  return c.json(toManagedRecord(link, c.var.site));
}

// A text that is not a number becomes 0, which is the number of no entry.
function parseNumber(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

// All numbers in the history that are of no field are instants. Of a password it has whether there was one.
function present(field: string, value: unknown): unknown {
  if (isStored(field)) return textOfColumn(field, value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? toInstant(value) : value;
}

function presentEntry({ n, at, action, userName, keyId, url, changes }: HistoryEntry) {
  const changed = Object.entries(changes).map(([field, [before, after]]) => [
    field,
    { from: present(field, before), to: present(field, after) },
  ]);
  return {
    n,
    at: toInstant(at),
    action,
    by: { user: userName, key_id: keyId },
    url,
    changes: Object.fromEntries(changed),
  };
}
