import { accessStatement, actingParams, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database, Statement } from '../../database/database.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';
import { wantedTags } from '../tags/names.ts';
import {
  AUDIT_IMPORT,
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
import type { Draft, ImportCounts, ImportEvent, StepOutcome } from './import-step.ts';
import { claimOf, type OpenRow } from './open-row.ts';

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
  readonly slug_length: number;
};
type EqualRow = ItemRow & ManagedRow;
type TakenRow = ItemRow & {
  readonly taken_slug: string;
  readonly taken_by: string;
  readonly deleted_owner: string | null;
} & (ManagedRow | Nothing);

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
  const keyId = actor.credential.kind === 'api_key' ? actor.credential.keyId : null;
  const [isMaking, isAsking] = [drafts.length > 0, rows.length > 0];
  const tagged = drafts.filter(({ row }) => row.tags !== null);
  const [makesByContent, asksByContent] = [drafts, rows].map((list) => list.some(({ row }) => row.slug === null));
  // Each statement parses its list, so that it gets no more than it reads.
  const listOf = (items: readonly string[]) => [...acting, `[${items.join(',')}]`];
  const toClaim = listOf(drafts.map(makesByContent ? draftItem : draftPlace));
  const toMake = listOf(drafts.map(draftItem));
  const toTag = listOf(tagged.map(draftTags));
  const toName = listOf(drafts.map(({ id, createdAt }) => JSON.stringify({ id, createdAt })));
  const toAsk = listOf(rows.map(({ place, claims }) => JSON.stringify({ ...place, claims })));
  const toCompare = listOf(rows.map(({ item }) => item));
  const insertAddresses =
    INSERT_ADDRESSES[makesByContent ? 'byContent' : 'bySlug'][tagged.length > 0 ? 'tagged' : 'untagged'];
  // SQLite compiles each of these statements for a millisecond or two.
  const found = await runSome<Found>(db, [
    ['access', accessStatement(acting)],
    ['addresses', isMaking && { sql: insertAddresses, params: toClaim }],
    ['created', isMaking && { sql: INSERT_LINKS, params: [...toMake, keyId] }],
    ...INSERT_TAGS.map((sql) => ['tags', tagged.length > 0 && { sql, params: toTag }] as const),
    ['tagged', tagged.length > 0 && { sql: SELECT_TAGS, params: toTag }],
    ['states', isAsking && { sql: SELECT_STATES, params: toAsk }],
    ['taken', isAsking && { sql: SELECT_TAKEN, params: toAsk }],
    ['equal', asksByContent! && { sql: SELECT_EQUAL, params: toCompare }],
    ['recorded', event !== null && recordImport(toName, event)],
    ['audited', event !== null && { sql: AUDIT_IMPORT, params: [...toName, event.id] }],
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
      slugLength: state.slug_length,
      equal: equalTo.get(state.position) ?? null,
      taken: (takenBy.get(state.position) ?? []).map((row) => ({
        slug: row.taken_slug,
        by: row.taken_by,
        deletedOwner: row.deleted_owner,
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
  readonly audited: never;
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

/** A draft with all that its link is created from, as JSON. */
function draftItem(draft: Draft): string {
  const { item, secId, createdAt, importedAt } = draft;
  return joinObjects(JSON.stringify({ ...draftIds(draft), newSecId: secId, createdAt, importedAt }), item);
}

/** A draft with all that its addresses are checked by, as JSON. */
function draftPlace(draft: Draft): string {
  return JSON.stringify({ ...draft.place, ...draftIds(draft) });
}

const draftIds = ({ id, slug, row, claims }: Draft) => ({
  id,
  tags: row.tags === null ? undefined : wantedTags(row.tags),
  claims: row.slug === null ? [claimOf(slug)] : claims,
});

function draftTags({ id, createdAt, row }: Draft): string {
  return JSON.stringify({ id, createdAt, tags: wantedTags(row.tags ?? '[]') });
}

/** One JSON object of two without a name in common, neither of which is empty. */
const joinObjects = (one: string, other: string): string => `${one.slice(0, -1)},${other.slice(1)}`;
