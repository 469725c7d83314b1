import { Hono, type Context } from 'hono';
import type { Credential } from '../accounts/grants.ts';
import { type AppError } from '../errors.ts';
import { fieldErrorsOf } from '../input/field-errors.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, API_KEY_CHALLENGE, readAnyCredential, readApiKey, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { failureBody } from '../http/failure.ts';
import { readForm } from '../http/form.ts';
import { readRepeat } from '../http/idempotency.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import { isJson, JSON_TYPE, readJson } from '../http/json.ts';
import { admitLarge } from '../http/large-body.ts';
import { etagOf } from '../http/precondition.ts';
import { linkListQuery } from '../http/link-queries.ts';
import { readQueryAndLists } from '../http/query.ts';
import { limitRate } from '../http/rate-limits.ts';
import { asksForLink, LINK_TYPE } from '../http/representation.ts';
import { allowOnly } from '../http/surface.ts';
import { createLinks } from '../links/create/create-many.ts';
import { createLink } from '../links/create/create.ts';
import { isLink, parseNewLink, parseNewLinks, type NewLink } from '../links/create/new-link.ts';
import type { RefusedResult } from '../links/create/results.ts';
import { authorizeCreator } from '../accounts/access.ts';
import { MAX_FAULTS_OF_ONE } from '../links/import/import-row.ts';
import { MAX_BATCH_LINKS, refuseLongList, refuseOtherScheme } from '../links/input.ts';
import { toInstant } from '../time/instant.ts';
import { listClickedLinks } from '../links/list/clicked.ts';
import { readClicksLeft } from '../links/list/clicks-left.ts';
import type { ManagedLink } from '../links/managed-link.ts';
import { parseFields } from '../input/validation.ts';
import { success, toClickedRecord, toManagedRecord, toRecord, type CreatedRecord, type LinkRecord } from './record.ts';

const MAX_BATCH_BYTES = 1024 * 1024;
const BATCH_BOUNDS = { mostItems: MAX_BATCH_LINKS, refuseList: refuseLongList };

/** `/v1/links`: creates short links, one or many, and lists them. */
export function linksApi(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>();

  links.post('/v1/links', refuseWith({ challenge: API_KEY_CHALLENGE }), async (c) => {
    const verify = readCreator(c);
    const repeat = readRepeat(c, 'links');
    const byJson = isJson(c.req.raw);
    const isManaged = byJson && asksForLink(c);
    const newLink = await readNewLink(c, byJson ? 'json' : 'form', repeat !== null);
    const credential = await verify();
    await limitRate(c, 'create', credential);
    const { site } = c.var;
    const found: { reused: ManagedLink | null } = { reused: null };
    const responseTo = (link: ManagedLink, isReused: boolean): LinkRecord | CreatedRecord => {
      if (isReused) found.reused = link;
      if (!isManaged) return toRecord(link, site);
      const record = toManagedRecord(link, site);
      return newLink.input.reuse === true ? { ...record, reused: isReused } : record;
    };
    const record = await createLink(linkToolsOf(c), credential, newLink, responseTo, {
      repeat: repeat && { ...repeat, answerType: isManaged ? LINK_TYPE : undefined },
    });
    return present(c, record, isManaged, found.reused);
  });

  links.post('/v1/links/batch', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const verify = readAnyCredential(c);
    const repeat = readRepeat(c, 'batch');
    const admit = async () => admitLarge(c, async () => authorizeCreator(c.var.db, await verify()));
    const body = await readJson(c.req.raw, { maxBytes: MAX_BATCH_BYTES, admit, bounds: BATCH_BOUNDS });
    const newLinks = parseNewLinks(body, c.var.site);
    const credential = await verify();
    await limitRate(c, 'create', credential, newLinks.links.filter(isLink).length);
    const presented = { site: c.var.site, refuse: presentFailure };
    return c.json({ results: await createLinks(linkToolsOf(c), credential, newLinks, presented, repeat) });
  });

  links.all('/v1/links/batch', allowOnly('POST'));

  links.get('/v1/links', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { fields, lists } = readQueryAndLists(c, ['tag']);
    const { client_id, limit, cursor, sort, ...filters } = parseFields(
      linkListQuery(),
      { ...fields, ...lists },
      c.var.site,
    );
    if (filters.url !== undefined) refuseOtherScheme(filters.url, c.var.site);
    const page = await listClickedLinks(c.var, await actAs({ client_id }), filters, sort, { limit, cursor });
    const clicksLeft = await readClicksLeft(c.var.openLimits, page.links);
    return c.json({
      links: page.links.map((link) => toClickedRecord(link, clicksLeft.get(link.id) ?? null, c.var.site)),
      cursor: page.cursor,
      scanned_to: toInstant(page.scannedTo),
    });
  });
  return links;
}

// The published interface documents only the API key, so a request without a credential is asked for that.
function readCreator(c: Context<HttpEnv>): () => Promise<Credential> {
  if (!c.req.header('X-API-Key')) {
    if (c.req.header('Authorization') === undefined) readApiKey(c);
    c.set('refusal', { challenge: ANY_CHALLENGE });
  }
  return readAnyCredential(c);
}

async function readNewLink(c: Context<HttpEnv>, form: 'form' | 'json', isRepeatable: boolean): Promise<NewLink> {
  const read = form === 'json' ? readJson(c.req.raw) : readForm(c.req.raw, { orElse: [JSON_TYPE] });
  return parseNewLink(await read, c.var.site, form, { isRepeatable });
}

function present(c: Context<HttpEnv>, record: LinkRecord, isManaged: boolean, reused: ManagedLink | null): Response {
  if (!isManaged) return c.json(success(record));
  return c.json(record, reused === null ? 201 : 200, {
    'Content-Type': LINK_TYPE,
    Location: `/v1/links/${record.id}`,
    // The revision of a new link is the time of its creation.
    ETag: etagOf(reused?.revision ?? Date.parse(record.created_at)),
  });
}

function presentFailure(error: AppError): RefusedResult {
  const errors = fieldErrorsOf(error).slice(0, MAX_FAULTS_OF_ONE);
  return {
    outcome: 'error',
    status: error.status,
    error: failureBody(error).error,
    ...(errors.length > 0 && { errors }),
  } as const;
}
