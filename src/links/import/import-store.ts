import { accessStatement, actingParams, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database, Statement } from '../../database/database.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';
import { wantedTags } from '../tags/names.ts';
import {
  FINISH_IMPORT,
  INSERT_ADDRESSES,
  INSERT_LINKS,
  INSERT_TAGS,
  RECORD_IMPORT,
  SELECT_EQUAL,
  SELECT_STATES,
  SELECT_TAGS,
  SELECT_TAKEN,
} from './import-sql.ts';
import { claimOf, type OpenRow } from './open-row.ts';

/** A link that is to be created from a row. */
export interface Draft extends OpenRow {
  readonly id: string;
  readonly secId: string;
  /** When the link was created, here or where it comes from. */
  readonly createdAt: number;
  readonly importedAt: number;
}

/** The rows of a file, those whose links existed, and those refused. */
export interface ImportCounts {
  readonly rows: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** The event about an import, as far as it has come. */
export interface ImportEvent extends ImportCounts {
  readonly id: string;
  /** True if its id is sent to the queue after this round trip. Then no more links are added to it. */
  readonly isLast: boolean;
}

/** The state of the database for a row. */
export interface RowState {
  readonly isDomainOk: boolean;
  /** True if its domain is pending, so that the link would wait for it. */
  readonly isWaiting: boolean;
  /** True if slugs of its domain are case-sensitive. */
  readonly isCaseSensitive: boolean;
  /** The host of a destination that is a custom domain of the service, or null. */
  readonly ownHost: string | null;
  /** The host of a destination that the operator has blocked, or null. */
  readonly blockedHost: string | null;
  /** True if one of its addresses is below a link that passes paths on. */
  readonly isBelowOwner: boolean;
  /** True if it passes paths on, and there are links below it. */
  readonly hasBelow: boolean;
  /** True if a link of the client has its external id. */
  readonly isExternalIdTaken: boolean;
  /** The number of tags of the client, and the tags of the row that it does not have, without case. */
  readonly tagsOfClient: number;
  readonly missingTags: readonly string[];
  /** For a row without a slug: a link of the client that is equal. */
  readonly equal: ManagedLink | null;
  /**
   * Which of its slug and aliases are taken; `link` is the link that has the slug, if it is a link of the client that
   * is not deleted.
   */
  readonly taken: readonly TakenSlug[];
}

interface TakenSlug {
  readonly slug: string;
  /** The slug that exists, which can differ in case. */
  readonly by: string;
  readonly link: ManagedLink | null;
}

interface ItemRow {
  readonly position: number;
}

type Nothing = { readonly [Column in keyof ManagedRow]: null };
type StateRow = ItemRow & {
  readonly domain_ok: number;
  readonly is_waiting: number;
  readonly case_sensitive: number;
  readonly own_host: string | null;
  readonly blocked_host: string | null;
  readonly is_below: number;
  readonly is_above: number;
  readonly external_id_taken: number;
  readonly tags_of_client: number;
  readonly missing_tags: string;
};
type EqualRow = ItemRow & ManagedRow;
type TakenRow = ItemRow & { readonly taken_slug: string; readonly taken_by: string } & (ManagedRow | Nothing);

interface CreatedRow {
  readonly id: string;
  readonly client_id: string;
  /** Null on the service's own host. */
  readonly is_waiting: number | null;
}

interface TaggedRow {
  readonly id: string;
  readonly tags: string | null;
}

/** The client and the tags of a created link, and whether it waits for its domain. */
export interface Created {
  readonly clientId: string;
  readonly tags: string | null;
  readonly isWaiting: boolean;
}

interface StepOutcome {
  readonly access: readonly AccessRow[];
  /** The facts about each created link that are known only now, by its id. */
  readonly created: ReadonlyMap<string, Created>;
  /** True if the event about the import is recorded. */
  readonly hasEvent: boolean;
  /** The state of each row that was asked about. */
  readonly states: readonly RowState[];
}

/**
 * Creates some links, and then reads the states of other rows: one round trip, one transaction. A link is created with
 * all of its addresses or not at all: none may be taken, and no two drafts may have the same one.
 *
 * @param event null without drafts
 */
export async function insertAndRead(
  db: Database,
  actor: Actor,
  drafts: readonly Draft[],
  rows: readonly OpenRow[],
  event: ImportEvent | null,
): Promise<StepOutcome> {
  const now = Date.now();
  const acting = actingParams(actor, 'links:write', now);
  const toMake = [...acting, JSON.stringify(drafts.map(draftItem))];
  const toAsk = [...acting, JSON.stringify(rows.map(({ item }) => item))];
  const keyId = actor.credential.kind === 'api_key' ? actor.credential.keyId : null;
  const [isMaking, isAsking] = [drafts.length > 0, rows.length > 0];
  const isTagging = drafts.some(({ row }) => row.tags !== null);
  const asksByContent = rows.some(({ row }) => row.slug === null);
  // SQLite compiles each of these statements for a millisecond or two.
  const found = await runSome<Found>(db, [
    ['access', accessStatement(acting)],
    ['addresses', isMaking && { sql: INSERT_ADDRESSES, params: toMake }],
    ['created', isMaking && { sql: INSERT_LINKS, params: [...toMake, keyId] }],
    ...INSERT_TAGS.map((sql) => ['tags', isTagging && { sql, params: toMake }] as const),
    ['tagged', isTagging && { sql: SELECT_TAGS, params: toMake }],
    ['states', isAsking && { sql: SELECT_STATES, params: toAsk }],
    ['taken', isAsking && { sql: SELECT_TAKEN, params: toAsk }],
    ['equal', asksByContent && { sql: SELECT_EQUAL, params: toAsk }],
    ['recorded', event !== null && recordImport(toMake, event)],
  ]);
  const tagsOf = new Map(found.tagged.map(({ id, tags }) => [id, tags]));
  const takenBy = Map.groupBy(found.taken, ({ position }) => position);
  const equalTo = new Map(found.equal.map((row) => [row.position, toManaged(row, now)]));
  return {
    access: found.access,
    hasEvent: found.recorded.length > 0,
    created: new Map(
      found.created.map(({ id, client_id: clientId, is_waiting }) => [
        id,
        { clientId, tags: tagsOf.get(id) ?? null, isWaiting: is_waiting === 1 },
      ]),
    ),
    states: found.states.map((state) => ({
      isDomainOk: state.domain_ok === 1,
      isWaiting: state.is_waiting === 1,
      isCaseSensitive: state.case_sensitive === 1,
      ownHost: state.own_host,
      blockedHost: state.blocked_host,
      isBelowOwner: state.is_below === 1,
      hasBelow: state.is_above === 1,
      isExternalIdTaken: state.external_id_taken === 1,
      tagsOfClient: state.tags_of_client,
      missingTags: JSON.parse(state.missing_tags),
      equal: equalTo.get(state.position) ?? null,
      taken: (takenBy.get(state.position) ?? []).map((row) => ({
        slug: row.taken_slug,
        by: row.taken_by,
        link: toManagedOrNull(row, now),
      })),
    })),
  };
}

/** The rows of the statements of a round trip, by name. */
interface Found {
  readonly access: AccessRow;
  readonly addresses: never;
  readonly created: CreatedRow;
  readonly tags: never;
  readonly tagged: TaggedRow;
  readonly states: StateRow;
  readonly taken: TakenRow;
  readonly equal: EqualRow;
  readonly recorded: { readonly id: string };
}

type Rows<Named> = { readonly [Name in keyof Named]: readonly Named[Name][] };

/** Runs some statements in one batch. A name without a statement has no rows. */
async function runSome<Named>(
  db: Database,
  named: readonly (readonly [name: keyof Named, statement: Statement | false])[],
): Promise<Rows<Named>> {
  const present = named.flatMap(([name, statement]) => (statement === false ? [] : [{ name, statement }]));
  const results = await db.batch<readonly unknown[]>(present.map(({ statement }) => statement));
  const rows = new Map(present.map(({ name }, index) => [name, results[index]]));
  return Object.fromEntries(named.map(([name]) => [name, rows.get(name) ?? []])) as unknown as Rows<Named>;
}

function recordImport(params: Statement['params'], { id, rows, unchanged, failed, isLast }: ImportEvent): Statement {
  const statement = { sql: RECORD_IMPORT, params: [...params, id, rows, unchanged, failed] };
  return isLast ? { ...statement, returnsEvents: true } : statement;
}

function toManagedOrNull(row: ManagedRow | Nothing, now: number): ManagedLink | null {
  return row.id === null ? null : toManaged(row, now);
}

/** Gives the event its last counts, if it is not dispatched yet, and announces it to the queue. */
export async function finishEvent(db: Database, id: string, { rows, unchanged, failed }: ImportCounts): Promise<void> {
  await db.batch([{ sql: FINISH_IMPORT, params: [id, rows, unchanged, failed], returnsEvents: true }]);
}

function draftItem({ row, item, claims, id, secId, createdAt, importedAt }: Draft) {
  const tags = row.tags === null ? undefined : wantedTags(row.tags);
  return {
    ...item,
    tags,
    id,
    newSecId: secId,
    createdAt,
    importedAt,
    claims: row.slug === null ? [claimOf(id)] : claims,
  };
}
