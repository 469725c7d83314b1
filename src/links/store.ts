import { GRANTS, grantParams, type Credential } from '../accounts/grants.ts';
import type { Database, Statement } from '../database.ts';
import { hostnameOf } from '../domains/host.ts';
import type { Address, Ending, Link, Target } from './link.ts';

// Under `GRANTS`: of what the credential may do for the client.
const MAY_WRITE = `instr(permissions, ' links:write ') > 0`;

const HOUR_MS = 3600 * 1000;

// The first half is what the planner knows the index of serving domains by.
const IS_ACTIVE = `status <> 'pending' AND status = 'active'`;

export type InsertOutcome =
  | 'inserted'
  | 'taken'
  | 'invalid_credential'
  | 'wrong_client'
  | 'insufficient_scope'
  | 'unknown_domain'
  | 'own_host';

interface InsertChecks {
  readonly credential_ok: number;
  readonly client_ok: number;
  readonly scope_ok: number;
  readonly domain_ok: number;
  readonly target_ok: number;
}

/**
 * Inserts a link and its address if every condition holds, and says which did not: one batch, one round trip, one
 * transaction. For this alone the links' store reads the tables of accounts and domains. The address goes first: its
 * primary key decides who has the slug, and the link follows only where the address is its own.
 */
export async function insertLink(db: Database, credential: Credential, link: Link): Promise<InsertOutcome> {
  const grants = grantParams(credential, link.createdAt);
  const targetHost = hostnameOf(new URL(link.url));
  const insertAddress: Statement = {
    sql: `${GRANTS}
      INSERT INTO addresses (domain_id, slug, link_id)
      SELECT CASE WHEN ?9 IS NULL THEN '' ELSE d.id END, ?7, ?6
      FROM (SELECT 1)
      LEFT JOIN domains d ON d.host = ?9 AND ${IS_ACTIVE} AND d.client_id = ?8
      WHERE EXISTS (SELECT 1 FROM grants WHERE client_id = ?8 AND ${MAY_WRITE})
        AND (?9 IS NULL OR d.id IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM domains WHERE host = ?10 AND ${IS_ACTIVE})
        AND NOT EXISTS (SELECT 1 FROM links WHERE id = ?6)
      ON CONFLICT DO NOTHING
      RETURNING link_id`,
    params: [...grants, link.id, link.slug, link.clientId, link.customDomain, targetHost],
  };
  const insertRow: Statement = {
    sql: `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, campaign_name, metadata,
            created_at, updated_at, revision)
          SELECT link_id, domain_id, slug, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8
          FROM addresses WHERE link_id = ?1 AND slug = ?2
          ON CONFLICT (id) DO NOTHING`,
    params: [link.id, link.slug, link.clientId, link.secId, link.url, link.campaignName, link.metadata, link.createdAt],
  };
  const checkConditions: Statement = {
    sql: `${GRANTS}
      SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok,
        EXISTS (SELECT 1 FROM grants WHERE client_id = ?6) AS client_ok,
        EXISTS (SELECT 1 FROM grants WHERE client_id = ?6 AND ${MAY_WRITE}) AS scope_ok,
        ?7 IS NULL OR EXISTS (
          SELECT 1 FROM domains WHERE host = ?7 AND ${IS_ACTIVE} AND client_id = ?6
        ) AS domain_ok,
        NOT EXISTS (SELECT 1 FROM domains WHERE host = ?8 AND ${IS_ACTIVE}) AS target_ok`,
    params: [...grants, link.clientId, link.customDomain, targetHost],
  };
  const statements = [insertAddress, insertRow, checkConditions];
  if (credential.kind === 'api_key') statements.push(touchKey(credential.keyId, link));
  const [inserted, , checks] = await db.batch<[unknown, never, InsertChecks]>(statements);
  return inserted.length === 1 ? 'inserted' : failedCheck(checks);
}

function failedCheck([checks]: readonly InsertChecks[]): InsertOutcome {
  if (!checks?.credential_ok) return 'invalid_credential';
  if (!checks.client_ok) return 'wrong_client';
  if (!checks.scope_ok) return 'insufficient_scope';
  if (!checks.domain_ok) return 'unknown_domain';
  return checks.target_ok ? 'taken' : 'own_host';
}

// Once an hour is close enough for people, and spares a write per create.
function touchKey(keyId: string, link: Link): Statement {
  return {
    sql: `UPDATE api_keys SET last_used_at = ?2
          WHERE id = ?1 AND coalesce(last_used_at, 0) <= ?2 - ${HOUR_MS}
            AND EXISTS (SELECT 1 FROM links WHERE id = ?3 AND created_at = ?2)`,
    params: [keyId, link.createdAt, link.id],
  };
}

interface LinkRow {
  readonly id: string;
  readonly slug: string;
  readonly host: string | null;
  readonly url: string;
  readonly client_id: string;
  readonly sec_id: string;
  readonly campaign_name: string | null;
  readonly metadata: string | null;
  readonly created_at: number;
}

/** What `selectLinkForInfo` answers: always one row, whose link is null where none is found. */
export type InfoRow = { readonly credential_ok: number } & (LinkRow | { readonly id: null });

/** Selects the link that all three ids name, among those the credential may read, and whether the credential counts. */
export function selectLinkForInfo(
  credential: Credential,
  ids: { readonly id: string; readonly clientId: string; readonly secId: string },
  now: number,
): Statement {
  return {
    sql: `${GRANTS}
      SELECT EXISTS (SELECT 1 FROM grants) AS credential_ok,
        l.id, l.slug, d.host, l.url, l.client_id, l.sec_id, l.campaign_name, l.metadata, l.created_at
      FROM (SELECT 1)
      LEFT JOIN links l ON l.id = ?6 AND l.client_id = ?7 AND l.sec_id = ?8 AND l.deleted_at IS NULL
        AND l.client_id IN (SELECT client_id FROM grants)
      LEFT JOIN domains d ON d.id = l.domain_id`,
    params: [...grantParams(credential, now), ids.id, ids.clientId, ids.secId],
  };
}

export function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    slug: row.slug,
    customDomain: row.host,
    url: row.url,
    clientId: row.client_id,
    secId: row.sec_id,
    campaignName: row.campaign_name,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}

interface TargetRow {
  readonly id: string;
  readonly client_id: string;
  readonly campaign_name: string | null;
  readonly url: string;
  readonly expires_at: number | null;
  readonly disabled_at: number | null;
  readonly deleted_at: number | null;
  readonly revision: number;
}

const TARGET_COLUMNS = `links.id, client_id, campaign_name, url, expires_at, disabled_at, deleted_at, revision`;

/** Selects a link by its address. A domain counts as long as it serves: while active, and while lost. */
function idAt(host: string, slug: string): string {
  return `(
    SELECT link_id FROM addresses WHERE slug = ${slug} AND domain_id = CASE WHEN ${host} = '' THEN ''
      ELSE (SELECT id FROM domains WHERE host = ${host} AND status <> 'pending') END
  )`;
}

/** Finds what an address leads to. */
export async function findTarget(db: Database, { host, slug }: Address): Promise<Target | null> {
  const row = await db.first<TargetRow>({
    sql: `SELECT ${TARGET_COLUMNS} FROM links WHERE id = ${idAt('?1', '?2')}`,
    params: [host, slug],
  });
  return row && toTarget(row);
}

/** Finds what some addresses lead to, in their order. */
export async function findTargets(db: Database, addresses: readonly Address[]): Promise<(Target | null)[]> {
  const [rows] = await db.batch<[TargetRow & { readonly position: number }]>([
    {
      sql: `SELECT address.key AS position, ${TARGET_COLUMNS} FROM json_each(?1) AS address
            JOIN links ON links.id = ${idAt(`address.value ->> 'host'`, `address.value ->> 'slug'`)}`,
      params: [JSON.stringify(addresses)],
    },
  ]);
  const found = new Map(rows.map((row) => [row.position, toTarget(row)]));
  return addresses.map((_, position) => found.get(position) ?? null);
}

/** What an edit may change of where a link leads; what is absent stays. */
export interface TargetChange {
  readonly url?: string;
  readonly disabled?: boolean;
  readonly deleted?: boolean;
}

/**
 * Changes a link of a client the credential may act for, and gives its new state with every address that leads to it.
 * The revision moves by at least one, whatever the clocks say.
 */
export async function updateTarget(
  db: Database,
  credential: Credential,
  id: string,
  change: TargetChange,
): Promise<{ target: Target; addresses: readonly Address[] } | null> {
  const now = Date.now();
  const grants = grantParams(credential, now);
  const [updated, addresses] = await db.batch<[TargetRow, Address]>([
    {
      sql: `${GRANTS}
        UPDATE links SET url = coalesce(?7, url),
          disabled_at = CASE ?8 WHEN 1 THEN coalesce(disabled_at, ?5) WHEN 0 THEN NULL ELSE disabled_at END,
          deleted_at = CASE ?9 WHEN 1 THEN coalesce(deleted_at, ?5) WHEN 0 THEN NULL ELSE deleted_at END,
          updated_at = ?5, revision = max(revision + 1, ?5)
        WHERE id = ?6 AND client_id IN (SELECT client_id FROM grants)
        RETURNING ${TARGET_COLUMNS}`,
      params: [...grants, id, change.url ?? null, flag(change.disabled), flag(change.deleted)],
    },
    {
      sql: `${GRANTS}
        SELECT coalesce(d.host, '') AS host, a.slug
        FROM addresses a JOIN links l ON l.id = a.link_id LEFT JOIN domains d ON d.id = a.domain_id
        WHERE a.link_id = ?6 AND l.client_id IN (SELECT client_id FROM grants)`,
      params: [...grants, id],
    },
  ]);
  const [row] = updated;
  return row ? { target: toTarget(row), addresses } : null;
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

function toTarget(row: TargetRow): Target {
  const ending: Ending | null = row.deleted_at !== null ? 'deleted' : row.disabled_at !== null ? 'disabled' : null;
  return {
    linkId: row.id,
    clientId: row.client_id,
    campaignName: row.campaign_name,
    url: row.url,
    ending,
    expiresAt: row.expires_at,
    revision: row.revision,
  };
}
