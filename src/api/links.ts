import { Hono, type Context } from 'hono';
import type { Credential } from '../accounts/grants.ts';
import { AppError, fieldErrorsOf } from '../errors.ts';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, API_KEY_CHALLENGE, readAnyCredential, readApiKey, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { failureBody } from '../http/failure.ts';
import { readForm } from '../http/form.ts';
import { contentHash } from '../content-hash.ts';
import { readRepeat } from '../http/idempotency.ts';
import { linkLimitsOf } from '../http/link-tools.ts';
import { isJson, JSON_TYPE, readJson } from '../http/json.ts';
import { admitLarge } from '../http/large-body.ts';
import { etagOf } from '../http/precondition.ts';
import { linkListQuery } from '../http/queries.ts';
import { readQueryAndLists } from '../http/query.ts';
import { limitRate } from '../http/rate-limits.ts';
import { asksForLink, LINK_TYPE } from '../http/representation.ts';
import { allowOnly } from '../http/surface.ts';
import { refusalsOfNewTargets, refuseNewTargets } from '../targets/new-targets.ts';
import { targetPolicyOf } from '../http/target-policy.ts';
import { createManyLinksOnce } from '../links/create/create-many-once.ts';
import { createLinkOnce } from '../links/create/create-once.ts';
import { createLink, createManyLinks } from '../links/create/create.ts';
import { authorizeCreator } from '../accounts/access.ts';
import { destinationsOf } from '../links/destinations.ts';
import { contentOfInput } from '../links/fields/content.ts';
import { protect, protectMany } from '../links/lock/protect.ts';
import { MAX_FAULTS_OF_ONE } from '../links/import/import-row.ts';
import {
  newLinkFields,
  MAX_BATCH_LINKS,
  newLinkJsonFields,
  newLinksFields,
  parseNewLink,
  refuseLongList,
  repeatable,
  type NewLink,
  type ProtectedLink,
} from '../links/input.ts';
import type { Link } from '../links/link.ts';
import { toInstant } from '../time/instant.ts';
import { listClickedLinks } from '../links/list/clicked.ts';
import { readClicksLeft } from '../links/list/clicks-left.ts';
import { newlyManaged } from '../links/managed.ts';
import { forgetMissing } from '../links/redirect/resolve.ts';
import { parseFields, type Fields } from '../validation.ts';
import { success, toClickedRecord, toManagedRecord, toRecord, type LinkRecord } from './record.ts';

const MAX_BATCH_BYTES = 1024 * 1024;
const BATCH_BOUNDS = { mostItems: MAX_BATCH_LINKS, refuseList: refuseLongList };

/** `/v1/links`: creates short links, one or many, and lists them. */
export function linksApi(): Hono<HttpEnv> {
  const links = new Hono<HttpEnv>();

  links.post('/v1/links', refuseWith({ challenge: API_KEY_CHALLENGE }), async (c) => {
    const verify = readCreator(c);
    const repeat = readRepeat(c, 'links');
    const isManaged = isJson(c.req.raw) && asksForLink(c);
    const input = await readNewLink(c, repeat !== null);
    const credential = await verify();
    await limitRate(c, 'create', credential);
    const { db, site } = c.var;
    const destinations = destinationsOf(contentOfInput(input));
    const hashing = { queue: c.var.services.hashing, authorize: () => authorizeCreator(db, credential) };
    const answerTo = (link: Link): LinkRecord =>
      isManaged ? toManagedRecord(newlyManaged(link), site) : toRecord(link, site);
    if (repeat === null) {
      await refuseNewTargets(db, credential, targetPolicyOf(c), destinations);
      const link = await createLink(db, credential, await protect(hashing, input));
      forgetMissing(c.var.services.memory, [link]);
      return present(c, answerTo(link), isManaged);
    }
    const refusalOf = await refusalsOfNewTargets(db, credential, targetPolicyOf(c), destinations);
    const answer = await createLinkOnce(db, credential, await protect(hashing, input), {
      ...repeat,
      fingerprint: contentHash({ ...withoutPassword(input), ...(isManaged && { answer: LINK_TYPE }) }),
      refusal: refusalOf(destinations),
      answerTo,
    });
    forgetMissing(c.var.services.memory, [{ slug: input.slug ?? null, customDomain: input.custom_domain ?? null }]);
    return present(c, answer, isManaged);
  });

  links.post('/v1/links/batch', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const verify = readAnyCredential(c);
    const repeat = readRepeat(c, 'batch');
    const admit = admitLarge(c, async () => authorizeCreator(c.var.db, await verify()));
    const { links: items } = parseFields(
      newLinksFields(),
      await readJson(c.req.raw, { maxBytes: MAX_BATCH_BYTES, admit, bounds: BATCH_BOUNDS }),
    );
    const parsed = items.map((fields) =>
      attempt(() => parseNewLink(withoutNulls(fields), c.var.site, newLinkJsonFields())),
    );
    const valid = parsed.filter((item): item is NewLink => !(item instanceof AppError));
    const credential = await verify();
    await limitRate(c, 'create', credential, valid.length);
    const { db, site } = c.var;
    const refusalOf = await refusalsOfNewTargets(
      db,
      credential,
      targetPolicyOf(c),
      valid.flatMap((item) => destinationsOf(contentOfInput(item))),
    );
    const checked = parsed.map((item) =>
      item instanceof AppError ? item : (refusalOf(destinationsOf(contentOfInput(item))) ?? item),
    );
    const hashing = { queue: c.var.services.hashing, authorize: () => authorizeCreator(db, credential) };
    const ready = await protectMany(hashing, checked);
    const inputs = ready.filter((item): item is ProtectedLink => !(item instanceof AppError));
    const { memory } = c.var.services;
    if (repeat !== null) {
      const request = {
        ...repeat,
        fingerprint: contentHash({ links: items.map(withoutPassword).map(sorted) }),
        site,
        refuse: presentFailure,
      };
      const results = await createManyLinksOnce(db, credential, ready, request);
      forgetMissing(
        memory,
        inputs.map(({ slug = null, custom_domain: customDomain = null }) => ({ slug, customDomain })),
      );
      return c.json({ results });
    }
    const created = await createManyLinks(db, credential, inputs);
    forgetMissing(
      memory,
      created.filter((item): item is Link => !(item instanceof AppError)),
    );
    const results = ready.map((item) => (item instanceof AppError ? item : created[inputs.indexOf(item)]!));
    return c.json({
      results: results.map((item) =>
        item instanceof AppError
          ? presentFailure(item)
          : { outcome: 'created', status: 201, link: toManagedRecord(newlyManaged(item), site) },
      ),
    });
  });

  links.all('/v1/links/batch', allowOnly('POST'));

  links.get('/v1/links', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const { fields, lists } = readQueryAndLists(c, ['tag']);
    const { client_id, limit, cursor, sort, ...filters } = parseFields(linkListQuery(), { ...fields, ...lists });
    const page = await listClickedLinks(c.var, await actAs({ client_id }), filters, sort, { limit, cursor });
    const clicksLeftOf = await readClicksLeft(linkLimitsOf(c), page.links);
    return c.json({
      links: page.links.map((link) => toClickedRecord(link, clicksLeftOf(link.id), c.var.site)),
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

async function readNewLink(c: Context<HttpEnv>, isRepeatable: boolean): Promise<NewLink> {
  const request = c.req.raw;
  const byJson = isJson(request);
  const fields = byJson ? withoutNulls(await readJson(request)) : await readForm(request, { orElse: [JSON_TYPE] });
  const schema = byJson ? newLinkJsonFields() : newLinkFields();
  return parseNewLink(fields, c.var.site, isRepeatable ? repeatable(schema) : schema);
}

function present(c: Context<HttpEnv>, record: LinkRecord, isManaged: boolean): Response {
  if (!isManaged) return c.json(success(record));
  return c.json(record, 201, {
    'Content-Type': LINK_TYPE,
    Location: `/v1/links/${record.id}`,
    // The revision of a new link is the time of its creation.
    ETag: etagOf(Date.parse(record.created_at)),
  });
}

function presentFailure(error: AppError) {
  const errors = fieldErrorsOf(error).slice(0, MAX_FAULTS_OF_ONE);
  return {
    outcome: 'error',
    status: error.status,
    error: failureBody(error).error,
    ...(errors.length > 0 && { errors }),
  } as const;
}

// In a new link, null means the same as an absent field.
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

// A hash of a password that anyone could compute would be open to guessing, so only its presence counts.
const withoutPassword = <Content extends { readonly password?: unknown }>({ password, ...content }: Content) =>
  password == null ? content : { ...content, password: true };

const sorted = (fields: Fields) => Object.entries(withoutNulls(fields)).toSorted(([a], [b]) => (a < b ? -1 : 1));

function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
