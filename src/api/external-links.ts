import { Hono, type Context } from 'hono';
import { readActor, readActorQuery } from '../http/actor.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { etagOf, isKnown, readIfMatch } from '../http/precondition.ts';
import { limitRate } from '../http/rate-limits.ts';
import { getLinkByExternalId, putLink } from '../links/edit/by-external-id.ts';
import { getClicksLeft } from '../links/edit/get-link.ts';
import { parseNewLink } from '../links/create/new-link.ts';
import { fieldError, type Fields } from '../input/validation.ts';
import { toManagedRecord } from './record.ts';

const PATH = '/v1/links-by-external-id/:external_id';

/** `/v1/links-by-external-id/{external_id}`: the link with an id of the caller's own system. */
export function externalLinksApi(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>();
  links.use(PATH, refuseWith({ challenge: ANY_CHALLENGE }));

  links.get(PATH, async (c) => {
    const actAs = readActor(c);
    const actor = await actAs(readActorQuery(c));
    const { link, clicks } = await getLinkByExternalId(c.var, actor, c.req.param('external_id'));
    c.header('ETag', etagOf(link.revision));
    if (isKnown(c, link.revision)) return c.body(null, 304);
    const clicksLeft = await getClicksLeft(c.var.openLimits, link);
    return c.json({ ...toManagedRecord(link, c.var.site), clicks_left: clicksLeft, clicks });
  });

  links.put(PATH, async (c) => {
    const verify = readAnyCredential(c);
    refuseRepeat(c, 'a repeated request changes nothing that the first one has done. Leave the header out.');
    const query = readActorQuery(c);
    const { password, ...fields } = await readJson(c.req.raw);
    const given = { ...withPathId(c, fields), ...(password != null && { password }) };
    const newLink = parseNewLink(given, c.var.site, 'item', { canExist: true });
    const clientId = oneClient(query.client_id, newLink.input.client_id);
    const holds = readIfMatch(c);
    const credential = await verify();
    // It may create a link or edit one.
    await limitRate(c, 'create', credential);
    await limitRate(c, 'write', credential);
    const { link, isNew } = await putLink(
      linkToolsOf(c),
      { credential, clientId },
      { ...newLink, externalId: c.req.param('external_id') },
      { isPasswordRemoved: password === null, holds },
    );
    c.header('ETag', etagOf(link.revision));
    if (!isNew) return c.json(toManagedRecord(link, c.var.site));
    c.header('Location', `/v1/links/${link.id}`);
    return c.json(toManagedRecord(link, c.var.site), 201);
  });

  return links;
}

function withPathId(c: Context<HttpEnv, typeof PATH>, fields: Fields): Fields {
  const id = c.req.param('external_id');
  const { external_id: sent, ...others } = fields;
  if (sent != null && sent !== id) {
    throw fieldError('invalid_external_id', 'external_id', 'external_id must be the one in the path. Leave it out.');
  }
  return { ...others, external_id: id };
}

function oneClient(inQuery: string | undefined, inBody: string | undefined): string | null {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
    throw fieldError('invalid_client_id', 'client_id', 'client_id must be the one in the query. Leave it out.');
  }
  return inQuery ?? inBody ?? null;
}
