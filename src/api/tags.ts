import { Hono } from 'hono';
import { readActor, readActorQuery } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { toTagRecord } from '../links/list/records.ts';
import { changeTag, createTag, deleteTag, listTags, newTagFields, tagChangeFields } from '../links/tags/tags.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/tags`: the tags of the links of a client. */
export function tagsApi(): Hono<HttpEnv> {
  const tags = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });

  tags.get('/v1/tags', refusal, async (c) => {
    const actAs = readActor(c);
    const query = parseListQuery('tags', readQuery(c));
    const { tags, cursor } = await listTags(c.var.db, await actAs(query), query.page);
    return c.json({ tags: tags.map(toTagRecord), cursor });
  });

  tags.post('/v1/tags', refusal, async (c) => {
    const actAs = readActor(c);
    refuseRepeat(c, 'a tag exists once, and a repeated request gets tag_taken. Leave the header out.');
    const query = readActorQuery(c);
    const fields = parseFields(newTagFields(), await readJson(c.req.raw));
    return c.json(toTagRecord(await createTag(c.var.db, await actAs(query), fields)), 201);
  });

  tags.patch('/v1/tags/:id', refusal, async (c) => {
    const actAs = readActor(c);
    const query = readActorQuery(c);
    const change = parseFields(tagChangeFields(), await readJson(c.req.raw), { emptyIsAbsent: false });
    return c.json(toTagRecord(await changeTag(c.var.db, await actAs(query), c.req.param('id'), change)));
  });

  tags.delete('/v1/tags/:id', refusal, async (c) => {
    const actAs = readActor(c);
    const query = readActorQuery(c);
    await deleteTag(c.var.db, await actAs(query), c.req.param('id'));
    return c.body(null, 204);
  });
  return tags;
}
