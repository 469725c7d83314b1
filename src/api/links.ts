import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { AppError } from '../errors.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, API_KEY_CHALLENGE, readAnyCredential, readApiKey, refuseWith } from '../http/authenticate.ts';
import type { Credential } from '../accounts/grants.ts';
import { limitCreates } from '../http/create-limit.ts';
import type { HttpEnv } from '../http/env.ts';
import { failureBody } from '../http/failure.ts';
import { readForm } from '../http/form.ts';
import { readIdempotencyKey } from '../http/idempotency.ts';
import { isJson, JSON_TYPE, readJson } from '../http/json.ts';
import { linkListQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { allowOnly } from '../http/surface.ts';
import { judgeNewTargets, refuseFiltered } from '../http/target-filter.ts';
import { createLink, createLinkOnce, createManyLinks } from '../links/create.ts';
import { newLinkFields, newLinksFields, parseNewLink, repeatableLinkFields, type NewLink } from '../links/input.ts';
import { listLinks } from '../links/list.ts';
import { newlyManaged } from '../links/managed.ts';
import { parseFields, type Fields } from '../validation.ts';
import { success, toManagedRecord, toRecord } from './record.ts';

const MAX_BATCH_BYTES = 1024 * 1024;

/** `/v1/links`: makes short links, one or many, and lists them. */
export function linksApi(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>();

  links.post('/v1/links', refuseWith({ challenge: API_KEY_CHALLENGE }), async (c) => {
    const judge = readMaker(c);
    const repeatKey = readIdempotencyKey(c);
    const schema = repeatKey === null ? newLinkFields : repeatableLinkFields;
    const input = parseNewLink(await readFields(c.req.raw), c.var.site, schema);
    const credential = await judge();
    await limitCreates(c, credential);
    const { db, site } = c.var;
    if (repeatKey === null) {
      await refuseFiltered(c, credential, input.url);
      return c.json(success(toRecord(await createLink(db, credential, input), site)));
    }
    const refusalOf = await judgeNewTargets(c, credential, [input.url]);
    const answer = await createLinkOnce(db, credential, input, {
      key: repeatKey,
      fingerprint: fingerprintOf(input),
      isFiltered: refusalOf(input.url) !== null,
      answerTo: (link) => JSON.stringify(toRecord(link, site)),
    });
    return c.json({ result: answer });
  });

  links.post('/v1/links/batch', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const judge = readAnyCredential(c);
    const { links: items } = parseFields(newLinksFields, await readJson(c.req.raw, MAX_BATCH_BYTES));
    const parsed = items.map((fields) => attempt(() => parseNewLink(withoutNulls(fields), c.var.site, newLinkFields)));
    const valid = parsed.filter((item): item is NewLink => !(item instanceof AppError));
    const credential = await judge();
    await limitCreates(c, credential, valid.length);
    const refusalOf = await judgeNewTargets(
      c,
      credential,
      valid.map(({ url }) => url),
    );
    const inputs = valid.filter(({ url }) => refusalOf(url) === null);
    const made = await createManyLinks(c.var.db, credential, inputs);
    const results = parsed.map((item) =>
      item instanceof AppError ? item : (refusalOf(item.url) ?? made[inputs.indexOf(item)]!),
    );
    return c.json({
      results: results.map((item) =>
        item instanceof AppError
          ? { status: item.status, error: failureBody(item).error }
          : { status: 201, link: toManagedRecord(newlyManaged(item), c.var.site) },
      ),
    });
  });

  links.all('/v1/links/batch', allowOnly('POST'));

  links.get('/v1/links', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { client_id, limit, cursor, ...filters } = parseFields(linkListQuery, readQuery(c));
    const page = await listLinks(c.var.db, await actAs({ client_id }), filters, { limit, cursor });
    return c.json({ links: page.links.map((link) => toManagedRecord(link, c.var.site)), cursor: page.cursor });
  });
  return links;
}

// The published interface names the API key alone: whoever shows nothing is asked for that.
function readMaker(c: Context<HttpEnv>): () => Promise<Credential> {
  if (!c.req.header('X-API-Key')) {
    if (c.req.header('Authorization') === undefined) readApiKey(c);
    c.set('refusal', { challenge: ANY_CHALLENGE });
  }
  return readAnyCredential(c);
}

async function readFields(request: Request): Promise<Fields> {
  return isJson(request) ? withoutNulls(await readJson(request)) : readForm(request, { orElse: [JSON_TYPE] });
}

// Nothing is what a new link has there anyway.
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

// Of what is asked for, not of how it was sent: the boundary of a form differs each time.
function fingerprintOf(input: NewLink): string {
  const sorted = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}

function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
