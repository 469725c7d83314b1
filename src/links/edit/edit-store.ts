import type { Actor } from '../../accounts/access.ts';
import type { Database, Param } from '../../database/database.ts';
import type { Destination } from '../../targets/destination.ts';
import { hostsOf } from '../destinations/destinations.ts';
import { COLUMN_NAMES, type ContentRow } from '../fields/content.ts';
import type { EditedRow, ManagedRow } from '../managed-link.ts';
import { wantedTags } from '../tags/names.ts';
import { pathKeysOf } from '../slugs/slug.ts';
import { EDIT_SQL } from './edit-sql.ts';

/** The columns of a link that an edit may set. */
export type Content = ContentRow & Pick<ManagedRow, 'slug' | 'disabled_at' | 'deleted_at'>;

export interface Edit {
  readonly before: ManagedRow;
  readonly after: Content;
  /** The hash of a new password; null removes the password, undefined keeps it. */
  readonly passwordHash: string | null | undefined;
  /** The destinations that the link did not have before. */
  readonly destinations: readonly Destination[];
  /** Aliases to be released. */
  readonly released: readonly string[];
  readonly action: string;
  /** `{field: [before, after]}` */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly now: number;
}

interface EditOutcome {
  /** The new state, or null if nothing was changed. */
  readonly row: EditedRow | null;
  readonly isSlugTaken: boolean;
  /** The deleted link of the client that has the slug and can be restored. */
  readonly deletedOwner: string | null;
  readonly isExternalIdTaken: boolean;
  readonly isRoomForTags: boolean;
  /** The host of a new destination that is a custom domain of the service, or null. */
  readonly ownHost: string | null;
  /** The host of a new destination that the operator has blocked, or null. */
  readonly blockedHost: string | null;
  /** True if its new slug is below a link that passes paths on. */
  readonly isBelowOwner: boolean;
  /** True if the link is to pass paths on, and there are links below it. */
  readonly hasBelow: boolean;
}

/**
 * Writes an edit if the link is unchanged since it was read, in one transaction. Its history entry is inserted first,
 * if all conditions hold, and all statements after it depend on that entry. The revision grows by at least one,
 * whatever the clocks say.
 *
 * @param acting the parameters of `ACTING`
 */
export async function writeEdit(
  db: Database,
  { credential }: Actor,
  acting: readonly Param[],
  edit: Edit,
): Promise<EditOutcome> {
  const { before, after, released, now } = edit;
  const newAddresses = newAddressesOf(edit);
  const isMoved = newAddresses.length > 0;
  // A slug that the link has already may stay.
  const newKeys = JSON.stringify(isMoved ? pathKeysOf(after.slug) : { above: [] });
  const isNewOwner = after.forward_path === 1 && (before.forward_path !== 1 || isMoved);
  const passesPathsOn = Number(isNewOwner);
  const hosts = JSON.stringify(hostsOf(edit.destinations));
  const newTags = after.tags === before.tags ? null : JSON.stringify(wantedTags(after.tags));
  const newExternalId = after.external_id === before.external_id ? null : after.external_id;
  const asRead = [...acting, before.id, before.revision];
  const editId = crypto.randomUUID();
  const written = [before.id, editId];
  const sql = EDIT_SQL;
  const results = await db.batch<(VerdictRow & EditedRow)[]>([
    ...(isMoved ? [{ sql: sql.insertAddress, params: [...asRead, newKeys, after.slug] }] : []),
    { sql: sql.beginHistory, params: asRead },
    {
      sql: sql.insertChange,
      params: [
        ...asRead,
        credential.kind === 'api_key' ? credential.keyId : null,
        edit.action,
        after.url,
        JSON.stringify(edit.changes),
        editId,
        after.slug,
        hosts,
        newKeys,
        passesPathsOn,
        newExternalId,
        newTags,
      ],
    },
    {
      sql: sql.updateLink,
      params: [
        ...written,
        after.slug,
        after.disabled_at,
        after.deleted_at,
        now,
        ...COLUMN_NAMES.map((name) => after[name]),
        Number(edit.passwordHash !== undefined),
        edit.passwordHash ?? null,
      ],
    },
    ...(isMoved ? [{ sql: sql.respellAddress, params: [...written, after.slug, before.domain_id, newKeys] }] : []),
    ...(isMoved || released.length > 0
      ? [{ sql: sql.deleteAddresses, params: [...written, JSON.stringify(released), JSON.stringify(newAddresses)] }]
      : []),
    { sql: sql.trimHistory, params: written },
    ...(newTags === null ? [] : sql.setTags.map((text) => ({ sql: text, params: [...written, newTags] }))),
    sql.record(edit, written),
    {
      sql: sql.selectVerdict,
      params: [
        before.domain_id,
        newKeys,
        before.id,
        after.slug,
        hosts,
        passesPathsOn,
        before.client_id,
        newExternalId,
        newTags,
        now,
      ],
    },
    { sql: sql.selectLink, params: written },
  ]);
  const [[verdict] = [], [row = null] = []] = results.slice(-2);
  return {
    row,
    isSlugTaken: verdict?.slug_taken === 1,
    deletedOwner: verdict?.deleted_owner ?? null,
    isExternalIdTaken: verdict?.external_id_taken === 1,
    isRoomForTags: verdict?.tags_ok !== 0,
    ownHost: verdict?.own_host ?? null,
    blockedHost: verdict?.blocked_host ?? null,
    isBelowOwner: verdict?.is_below === 1,
    hasBelow: verdict?.is_above === 1,
  };
}

interface VerdictRow {
  readonly slug_taken: number;
  readonly deleted_owner: string | null;
  readonly external_id_taken: number;
  readonly tags_ok: number;
  readonly own_host: string | null;
  readonly blocked_host: string | null;
  readonly is_below: number;
  readonly is_above: number;
}

function newAddressesOf({ before, after }: Edit): string[] {
  const known: readonly string[] = [before.slug, ...JSON.parse(before.aliases)];
  return known.includes(after.slug) ? [] : [after.slug];
}
