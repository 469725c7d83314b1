import { GRANTS_OF, grantParams, type Credential } from '../../accounts/grants.ts';
import {
  isOfRequest,
  isPacked,
  KEPT_COLUMNS,
  keptName,
  REPLACE_FORGOTTEN,
  repeatParams,
  type KeptRow,
  type Repeatable,
} from '../../accounts/stored-responses.ts';
import type { Database, Statement } from '../../database/database.ts';
import type { AppError } from '../../errors.ts';
import { credentialFault, linkFault, type CheckRow } from './create-refusals.ts';
import { toCreated, type LinkDraft } from './draft.ts';
import { createSqlOf, MAY_WRITE, SOLE_CLIENT, type CreateSql, type KeptFor } from './create-sql.ts';
import { splitDetails } from '../fields/content.ts';
import type { Link } from '../link.ts';
import { TakenPaths } from '../slugs/path-owners.ts';
import { pathKeysOf } from '../slugs/slug.ts';
import { wantedTags } from '../tags/names.ts';

/** A repeatable request, and the answer to keep if it creates a link. */
interface Once extends Repeatable {
  readonly keptFor: KeptFor;
  /** JSON; that of a list as `packResponse` returns it. */
  readonly answer: string;
}

/** The outcome of one link: the link if it was created, its error, or that its generated id was taken. */
export type InsertOutcome = Link | AppError | 'id_taken';

interface Inserted {
  /** In the order of the links. */
  readonly outcomes: readonly InsertOutcome[];
  /** The kept answer to the same request; if there is one, nothing was inserted. */
  readonly kept: KeptOfLinks | null;
}

export interface KeptOfLinks extends KeptRow {
  /** The clients for which the credential may create links now, as a JSON array. */
  readonly clients: string;
}

interface CreatedRow {
  readonly id: string;
  readonly client_id: string;
}

interface TaggedRow {
  readonly id: string;
  /** As existing tags are spelled. */
  readonly tags: string | null;
}

interface InsertOptions {
  readonly once?: Once;
  /** Why the policy refuses a destination of the links: then none of them is inserted. */
  readonly refusal?: AppError | null;
  /** Statements at the end of the batch, whose rows are not used. */
  readonly beside?: readonly Statement[];
}

/**
 * Inserts links with their addresses, each if all conditions hold, and returns the outcome of each: one batch, one
 * round trip, one transaction. Only for this does the links' store read the tables of accounts and domains. The address
 * is inserted first: its primary key decides which link gets the slug, and the link is inserted only if the address is
 * its own.
 */
export async function insertLinks(
  db: Database,
  credential: Credential,
  drafts: readonly LinkDraft[],
  { once, refusal = null, beside = [] }: InsertOptions = {},
): Promise<Inserted> {
  // Several texts, since D1 accepts 2,000,000 bytes in one, and a hundred links may take more.
  const parts = drafts.map(splitDetails);
  const paths = drafts.length > 1 ? new TakenPaths() : null;
  const severalHosts = drafts.some(({ targetHosts }) => targetHosts.length > 1);
  const items = drafts.map((draft, place) => ({
    ...parts[place]?.rest,
    ...derived(draft, paths),
    ...(!severalHosts && { targetHosts: undefined, targetHost: draft.targetHosts[0] }),
    isFiltered: refusal !== null,
  }));
  const details = textsOf(parts.map((part) => part.details));
  const creator = credential.kind === 'api_key' ? null : credential.userId;
  const withTags = drafts.some(({ tags }) => tags !== null);
  const kind = {
    credential: credential.kind,
    onDomains: drafts.some(({ customDomain }) => customDomain !== null),
    severalHosts,
    withPaths: drafts.some(({ slug, forwardPath }) => forwardPath === true || slug.includes('/')),
    withExternalIds: drafts.some(({ externalId }) => externalId !== null),
    withTags,
    ofSoleClient: drafts.some(({ clientId }) => clientId === null),
    keptFor: once?.keptFor ?? null,
    inTwoTexts: details.length > 1,
  };
  const params = [...grantParams(credential, Date.now()), JSON.stringify(items)];
  const sql = createSqlOf(kind);
  const list = [JSON.stringify(items)];
  const tagging = withTags
    ? [...sql.insertTags, sql.selectTags('?1')].map((text) => ({ sql: text, params: list }))
    : [];
  const [inserted, created, checks, ...more] = await db.batch<
    [{ readonly link_id: string }, CreatedRow, CheckRow, ...(TaggedRow & KeptOfLinks)[]]
  >([
    { sql: sql.insertAddresses, params: [...params, ...(once ? repeatParams(once) : [])] },
    { sql: sql.insertLinks, params: [...params, creator, ...details] },
    { sql: sql.check, params },
    ...tagging,
    ...(once ? keep(credential, params, once, sql, withTags) : []),
    ...beside,
    {
      sql: sql.recordCreated,
      params: [JSON.stringify(drafts.map(({ id, createdAt }) => ({ id, createdAt })))],
      returnsEvents: true,
    },
  ]);
  const tagsOf = new Map(tagging.length > 0 ? more[tagging.length - 1]?.map(({ id, tags }) => [id, tags]) : []);
  const ids = new Set(inserted.map(({ link_id: id }) => id));
  const clientOf = new Map(created.map(({ id, client_id: clientId }) => [id, clientId]));
  const checkOf = new Map(checks.map((check) => [check.place, check]));
  return {
    outcomes: drafts.map((draft, place) => {
      if (ids.has(draft.id)) {
        const tags = tagsOf.get(draft.id) ?? null;
        return { ...toCreated(draft, draft.clientId ?? clientOf.get(draft.id)!), tags };
      }
      const check = checkOf.get(place);
      // No row: another link, created in the same millisecond, has the id.
      return (check && (credentialFault(draft, check) ?? linkFault(draft, check, refusal))) ?? 'id_taken';
    }),
    kept: (once && more[tagging.length]?.[0]) ?? null,
  };
}

const MAX_BYTES = 1_500_000;

/** The details of links as one text, or as two of about the same length and the number of links in the first. */
function textsOf(details: readonly object[]): [string] | [string, string, number] {
  const text = JSON.stringify(details);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BYTES) return [text];
  let first = 0;
  for (let taken = 0; taken < bytes / 2; first += 1) taken += Buffer.byteLength(JSON.stringify(details[first]));
  return [JSON.stringify(details.slice(0, first)), JSON.stringify(details.slice(first)), first];
}

/** @param paths those of the links before; null for one link */
function derived(link: LinkDraft, paths: TakenPaths | null) {
  const conflict = paths?.take(link)?.faults[0]?.field;
  const taken = conflict === undefined ? {} : { isBelow: conflict === 'slug', isAbove: conflict !== 'slug' };
  const { passwordHash, forwardPath } = link;
  const externalId = link.externalId ?? undefined;
  const tags = link.tags === null ? undefined : wantedTags(link.tags);
  return { ...pathKeysOf(link.slug), ...taken, forwardPath, passwordHash, externalId, tags };
}

// A refusal that is not kept would be another one when the request is repeated, so a missing column is a type error.
const CHECKS = Object.keys({
  place: true,
  credential_ok: true,
  clients: true,
  client_ok: true,
  scope_ok: true,
  end_ok: true,
  domain_ok: true,
  target_ok: true,
  host_blocked: true,
  slug_ok: true,
  refused_host: true,
  is_below: true,
  is_above: true,
  external_id_ok: true,
  tags_ok: true,
} satisfies Record<keyof CheckRow, true>);

/** Selects the kept answer to an earlier request, and keeps the answer to this one if it has created a link. */
function keep(
  { kind }: Credential,
  params: Statement['params'],
  once: Once,
  sql: CreateSql,
  withTags: boolean,
): Statement[] {
  const grants = GRANTS_OF[kind];
  const repeat = repeatParams(once);
  const ofLink = once.keptFor === 'link';
  const client = ofLink ? `(SELECT ${sql.keptClient} FROM json_each(?6) AS item)` : sql.keptClient;
  const columns = CHECKS.map((name) => `'${name}', ${name}`).join(', ');
  // The answer has the tags as they were sent: another spelling of them may exist.
  const tagged = withTags && sql.selectTags('?6');
  const response = ofLink
    ? tagged
      ? `CASE WHEN json_type(?11, '$.tags') IS NULL THEN ?11
          ELSE json_set(?11, '$.tags', json((SELECT coalesce(max(tags), '[]') FROM (${tagged})))) END`
      : '?11'
    : `json_object('client', ${SOLE_CLIENT}, 'answer', ${isPacked(once.answer) ? '?11' : 'json(?11)'}, 'refusals', (
        SELECT json_group_array(json_object(${columns})) FROM (${sql.check}))
        ${tagged ? `, 'tags', (SELECT json_group_object(id, json(tags)) FROM (${tagged}))` : ''})`;
  return [
    {
      sql: `${grants}
        SELECT ${KEPT_COLUMNS}, (SELECT json_group_array(client_id) FROM grants WHERE ${MAY_WRITE}) AS clients
        FROM idempotency_keys WHERE client_id = ${client} AND ${isOfRequest(7)}
          AND EXISTS (SELECT 1 FROM grants WHERE ${MAY_WRITE}${ofLink ? ` AND client_id = ${client}` : ''})`,
      params: [...params, ...repeat],
    },
    {
      sql: `${grants}
        INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at)
        SELECT ${client}, ${keptName(7)}, ?10, ${response}, ?5
        WHERE EXISTS (
          SELECT 1 FROM json_each(?6) AS item JOIN links l
            ON l.id = item.value ->> 'id' AND l.created_at = item.value ->> 'createdAt')
        ${REPLACE_FORGOTTEN}`,
      params: [...params, ...repeat, once.fingerprint, once.answer],
    },
  ];
}
