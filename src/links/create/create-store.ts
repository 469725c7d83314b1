import { grantParams, type Credential } from '../../accounts/grants.ts';
import { repeatParams, type KeptRow } from '../../accounts/stored-responses.ts';
import type { Database, Statement } from '../../database/database.ts';
import type { AppError } from '../../errors.ts';
import { credentialFault, linkFault, type CheckRow } from './create-refusals.ts';
import { toCreated, type LinkDraft, type SlugState } from './draft.ts';
import { createSqlOf } from './create-sql.ts';
import {
  comparable,
  splitDetails,
  STORED_NAMES,
  toContentRow,
  type LinkContent,
  type NewContent,
} from '../fields/content.ts';
import { keepResponse, type Once } from './kept-response.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';
import { TakenPaths } from '../slugs/path-owners.ts';
import { pathKeysOf } from '../slugs/slug.ts';
import { wantedTags } from '../tags/names.ts';

/**
 * The outcome of one link: the link if it was created, its error, or that its generated id or slug was taken, or the slug
 * was of another length than those of its host.
 */
export type InsertOutcome = ManagedLink | AppError | 'id_taken';

interface Inserted {
  /** In the order of the links. */
  readonly outcomes: readonly InsertOutcome[];
  /** Of each link with a generated slug that was not created, by its place. */
  readonly slugs: ReadonlyMap<number, SlugState>;
  /** The link that is answered with, instead of the new one. */
  readonly reused: ManagedLink | null;
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
  /** The content of the link, if an active link with the same content is answered with instead of a new one. */
  readonly wanted?: NewContent | null;
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
  { once, refusal = null, wanted = null, beside = [] }: InsertOptions = {},
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
    ...(wanted !== null && { wanted: comparedWith(wanted) }),
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
    withReuse: wanted !== null,
    withSlugs: drafts.some(({ slugLength }) => slugLength === null),
    withoutSlugs: drafts.some(({ slugLength }) => slugLength !== null),
    ofSoleClient: drafts.some(({ clientId }) => clientId === null),
    keptFor: once?.keptFor ?? null,
    inTwoTexts: details.length > 1,
  };
  const now = Date.now();
  const params = [...grantParams(credential, now), JSON.stringify(items)];
  const sql = createSqlOf(kind);
  const list = [JSON.stringify(items)];
  const tagging = withTags
    ? [...sql.insertTags, sql.selectTags('?1')].map((text) => ({ sql: text, params: list }))
    : [];
  const [inserted, created, checks, ...more] = await db.batch<
    [{ readonly link_id: string }, CreatedRow, CheckRow, ...(TaggedRow & KeptOfLinks & ManagedRow)[]]
  >([
    { sql: sql.insertAddresses, params: [...params, ...(once ? repeatParams(once) : [])] },
    { sql: sql.insertLinks, params: [...params, creator, ...details] },
    { sql: sql.check, params },
    ...tagging,
    ...(once ? keepResponse(credential, params, once, sql, withTags) : []),
    ...(sql.selectReusable === null ? [] : [{ sql: sql.selectReusable, params }]),
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
  const [reusable] = (wanted !== null && more[tagging.length + (once ? 2 : 0)]) || [];
  const outcomes = drafts.map((draft, place): InsertOutcome => {
    if (ids.has(draft.id)) {
      const tags = tagsOf.get(draft.id) ?? null;
      return { ...toCreated(draft, draft.clientId ?? clientOf.get(draft.id)!), tags };
    }
    const check = checkOf.get(place);
    // No row: another link, created in the same millisecond, has the id.
    return (check && (credentialFault(draft, check) ?? linkFault(draft, check, refusal))) ?? 'id_taken';
  });
  return {
    outcomes,
    slugs: new Map(
      checks.flatMap(({ place, slug_length: length, slug_ok: isFree }) =>
        length == null ? [] : [[place, { length, isTaken: isFree === 0 }]],
      ),
    ),
    reused: reusable && outcomes[0] === 'id_taken' ? toManaged(reusable, now) : null,
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

// As columns, by which `reusableLink` compares; a secondary id that is left out is compared too.
function comparedWith(content: NewContent): object {
  const row: Readonly<Record<string, unknown>> = { ...toContentRow(content as LinkContent) };
  return Object.fromEntries(
    STORED_NAMES.map((name) => [name, name === 'tags' ? comparable(name, content) : row[name]]),
  );
}

/** @param paths those of the links before; null for one link */
function derived(link: LinkDraft, paths: TakenPaths | null) {
  const conflict = paths?.take(link)?.faults[0]?.field;
  const taken = conflict === undefined ? {} : { isBelow: conflict === 'slug', isAbove: conflict !== 'slug' };
  const { passwordHash, forwardPath, slugLength } = link;
  const externalId = link.externalId ?? undefined;
  const tags = link.tags === null ? undefined : wantedTags(link.tags);
  return { ...pathKeysOf(link.slug), ...taken, slugLength, forwardPath, passwordHash, externalId, tags };
}
