import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import { insertAudit } from '../../accounts/audit/write-audit.ts';
import { IS_LIVE_SHARE, WHOLE_CLIENT } from '../../clicks/shared-permission.ts';
import type { Param, Statement } from '../../database/database.ts';

/** The SQL of public statistics pages. */

/** The subject of a page: a link by its id, a campaign by its name, or all links of the client. */
export type Shared = { readonly kind: 'link' | 'campaign'; readonly name: string } | { readonly kind: 'client' };

export interface ShareRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly has_password: number;
  readonly created_at: number;
}

const COLUMN = { link: 'link_id', campaign: 'campaign_name', client: 'campaign_name' } as const;

/** The value of that column, ?8 of the statements. */
const keyOf = (shared: Shared): string => (shared.kind === 'client' ? WHOLE_CLIENT : shared.name);

/** The share of ?8, if the actor's client has what it is of. */
const OF_SUBJECT = ({ kind }: Shared) => `s.client_id = ${SOLE_CLIENT} AND s.${COLUMN[kind]} = ?8`;

/** True if the client has a link ?8, or links of the campaign ?8, that are not deleted. The client itself needs no links. */
const HAS_SUBJECT = ({ kind }: Shared) =>
  kind === 'client'
    ? // D1 refuses a parameter that the statement does not name.
      `(${SOLE_CLIENT} IS NOT NULL AND ?8 = '${WHOLE_CLIENT}')`
    : `EXISTS (
    SELECT 1 FROM links l WHERE l.client_id = ${SOLE_CLIENT} AND l.deleted_at IS NULL AND l.${
      kind === 'link' ? 'id' : 'campaign_name'
    } = ?8)`;

export function selectShare(actor: Actor, now: number, shared: Shared): Statement[] {
  const params = [...actingParams(actor, 'links:write', now), keyOf(shared)];
  return [
    { sql: `${ACTING} SELECT 1 AS found WHERE ${HAS_SUBJECT(shared)}`, params },
    {
      sql: `${ACTING}
        SELECT s.id, s.secret_hash, s.password_hash IS NOT NULL AS has_password, s.created_at
        FROM statistics_shares s WHERE ${OF_SUBJECT(shared)}`,
      params,
    },
  ];
}

interface NewShare {
  readonly id: string;
  readonly secretHash: string;
  readonly passwordHash: string | null;
}

/** Inserts a share, unless there is one already, and records it. */
export function insertShare(actor: Actor, now: number, shared: Shared, share: NewShare): Statement[] {
  const { id, secretHash, passwordHash } = share;
  return [
    {
      sql: `${ACTING}
        INSERT INTO statistics_shares (id, client_id, ${COLUMN[shared.kind]}, secret_hash, password_hash, password_at, created_at)
        SELECT ?9, ${SOLE_CLIENT}, ?8, ?10, ?11, CASE WHEN ?11 IS NOT NULL THEN ?5 END, ?5 WHERE ${HAS_SUBJECT(shared)}
        ON CONFLICT DO NOTHING`,
      params: [...actingParams(actor, 'links:write', now), keyOf(shared), id, secretHash, passwordHash],
    },
    record(actor, now, 'share.created', shared, 's.id = ?9', [id]),
  ];
}

/** Sets the password of a share, or removes it, and records that. Another instant with each change ends what it unlocked. */
export function updatePassword(actor: Actor, now: number, shared: Shared, passwordHash: string | null): Statement[] {
  return [
    record(actor, now, 'share.changed', shared, '(?9 IS NOT NULL OR s.password_hash IS NOT NULL)', [passwordHash]),
    {
      sql: `${ACTING}
        UPDATE statistics_shares AS s SET password_hash = ?9,
          password_at = CASE WHEN ?9 IS NOT NULL THEN max(?5, coalesce(password_at, 0) + 1) END
        WHERE ${OF_SUBJECT(shared)} RETURNING id`,
      params: [...actingParams(actor, 'links:write', now), keyOf(shared), passwordHash],
    },
  ];
}

export function deleteShare(actor: Actor, now: number, shared: Shared): Statement[] {
  return [
    record(actor, now, 'share.revoked', shared, 'TRUE', []),
    {
      sql: `${ACTING} DELETE FROM statistics_shares AS s WHERE ${OF_SUBJECT(shared)} RETURNING id`,
      params: [...actingParams(actor, 'links:write', now), keyOf(shared)],
    },
  ];
}

/** An edit that gives links of a campaign a new name. */
export interface Renamed {
  readonly former: string;
  readonly name: string;
  readonly ids: readonly string[];
  readonly editId: string;
}

/** True if the edit ?11 has changed one of the links ?10. */
export const IS_RENAMED = `EXISTS (
    SELECT 1 FROM json_each(?10) AS id
    WHERE ?11 = (SELECT edit_id FROM link_history WHERE link_id = id.value ORDER BY n DESC LIMIT 1))`;

/** Lets the share of a campaign ?8 go along with its new name ?9, once links have that. */
export function renameShare(actor: Actor, now: number, { former, name, ids, editId }: Renamed): Statement[] {
  const params = [...actingParams(actor, 'links:write', now), former, name, JSON.stringify(ids), editId];
  const ofClient = `client_id = ${SOLE_CLIENT} AND campaign_name`;
  return [
    // Of links that the name had before, which are deleted.
    { sql: `${ACTING} DELETE FROM statistics_shares WHERE ${ofClient} = ?9 AND ?8 <> ?9 AND ${IS_RENAMED}`, params },
    {
      sql: `${ACTING} UPDATE statistics_shares SET campaign_name = ?9 WHERE ${ofClient} = ?8 AND ${IS_RENAMED}`,
      params,
    },
  ];
}

const NAME = {
  link: '(SELECT slug FROM links WHERE id = s.link_id)',
  campaign: 's.campaign_name',
  client: '(SELECT coalesce(name, id) FROM clients WHERE id = s.client_id)',
} as const;

function record(
  actor: Actor,
  now: number,
  action: 'share.created' | 'share.changed' | 'share.revoked',
  shared: Shared,
  condition: string,
  more: readonly Param[],
): Statement {
  return insertAudit(actor, 'links:write', now, {
    action,
    subjects: `SELECT s.client_id, s.id, ${NAME[shared.kind]}, json_object('of', '${shared.kind}') FROM statistics_shares s
      WHERE ${OF_SUBJECT(shared)} AND ${condition}`,
    params: [keyOf(shared), ...more],
  });
}

export interface OpenedRow {
  readonly id: string;
  readonly client_id: string;
  readonly link_id: string | null;
  readonly campaign_name: string | null;
  readonly password_hash: string | null;
  readonly password_at: number | null;
  readonly slug: string | null;
  readonly host: string | null;
  readonly title: string | null;
  readonly client_name: string | null;
}

/** Selects what visitors may know of a share, while what it is of is there. */
export const selectOpened = (secretHash: string): Statement => ({
  sql: `SELECT s.id, s.client_id, s.link_id, s.campaign_name, s.password_hash, s.password_at, l.slug, d.host, l.title,
      c.name AS client_name
    FROM statistics_shares s JOIN clients c ON c.id = s.client_id LEFT JOIN links l ON l.id = s.link_id LEFT JOIN domains d ON d.id = l.domain_id
    WHERE s.secret_hash = ?1 AND ${IS_LIVE_SHARE}`,
  params: [secretHash],
});
