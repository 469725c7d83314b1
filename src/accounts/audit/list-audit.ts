import type { Database, Statement } from '../../database/database.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { listPage } from '../list-page.ts';
import { givenName, toGivenName, type GivenName } from '../members/given-name.ts';

/** One change in the audit log. */
export interface AuditEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** An `AuditAction`, or one that an earlier version of the service knew. */
  readonly action: string;
  /** The thing that was changed: its kind, its id and its name, or null. */
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null };
  /** A JSON value with more about the change, or null. */
  readonly details: unknown;
  /** Who made the change; nulls if the service did. */
  readonly by: { readonly userId: string | null; readonly name: string | null };
  /** For pages: the names that a provider gives to who made the change, and to the user who was changed; or null. */
  readonly given: { readonly by: GivenName | null; readonly subject: GivenName | null };
  readonly credential: { readonly kind: string; readonly id: string | null };
}

interface EntryRow {
  readonly id: string;
  readonly created_at: number;
  readonly action: string;
  readonly subject_id: string;
  readonly subject_name: string | null;
  readonly details: string | null;
  readonly user_id: string;
  readonly user_name: string | null;
  readonly user_given: string | null;
  readonly subject_given: string | null;
  readonly credential_kind: string;
  readonly credential_id: string;
}

/** Lists what was changed in a client, newest first. Throws what `authorize` throws. */
export async function listAudit(
  db: Database,
  actor: Actor,
  page: Page,
): Promise<{ entries: readonly AuditEntry[]; cursor: string | null }> {
  const { items: entries, cursor } = await listPage(db, actor, page, {
    permission: 'audit',
    select: (now) => selectEntries(actor, now, page),
    positionOf: (row: EntryRow) => [row.created_at, row.id],
    toItem: toEntry,
  });
  return { entries, cursor };
}

/** The name of the changed user; NULL for other things, whose ids and names can be chosen. */
const MEMBER_NAME = `iif(e.action LIKE 'member.%', e.subject_name, NULL)`;

function selectEntries(actor: Actor, now: number, { after, limit }: Page): Statement {
  return {
    sql: `${ACTING}
      SELECT e.id, e.created_at, e.action, e.subject_id, e.subject_name, e.details, e.user_id, u.name AS user_name,
        e.credential_kind, e.credential_id,
        ${givenName({ id: 'u.id', name: 'u.name', client: 'e.client_id' })} AS user_given,
        ${givenName({ id: 'e.subject_id', name: MEMBER_NAME, client: 'e.client_id' })} AS subject_given
      FROM audit_entries e LEFT JOIN users u ON u.id = e.user_id
      WHERE e.client_id = ${SOLE_CLIENT} AND (e.created_at, e.id) < (?8, ?9)
      ORDER BY e.created_at DESC, e.id DESC LIMIT ?10`,
    params: [...actingParams(actor, 'audit', now), ...after, rowsOfPage(limit)],
  };
}

function toEntry(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.created_at,
    action: row.action,
    subject: { kind: row.action.split('.')[0]!, id: row.subject_id, name: row.subject_name },
    details: row.details === null ? null : JSON.parse(row.details),
    by: { userId: row.user_id || null, name: row.user_name },
    given: { by: toGivenName(row.user_given), subject: toGivenName(row.subject_given) },
    credential: { kind: row.credential_kind, id: row.credential_id || null },
  };
}
