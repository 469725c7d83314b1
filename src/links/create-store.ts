import { GRANTS_OF, grantParams, type Credential } from '../accounts/grants.ts';
import type { Database, Param, Statement } from '../database.ts';
import { hostnameOf } from '../domains/host.ts';
import { isHostBlocked } from './blocklist.ts';
import type { Link } from './link.ts';
import { foldSlug } from './slug.ts';

// Under `GRANTS`: of what the credential may do for the client.
const MAY_WRITE = `instr(permissions, ' links:write ') > 0`;

/** Whether a domain takes links. The first half is what the planner knows the index of serving domains by. */
export const IS_ACTIVE = `status <> 'pending' AND status = 'active'`;

/** How long an `Idempotency-Key` is known. */
export const IDEMPOTENCY_MS = 24 * 3600 * 1000;

/** A key by which a create is known if it comes again, and what it was answered. */
export interface Once {
  readonly key: string;
  readonly fingerprint: string;
  readonly answer: string;
}

export type InsertOutcome =
  | 'inserted'
  | 'id_taken'
  | 'slug_taken'
  | 'invalid_credential'
  | 'wrong_client'
  | 'insufficient_scope'
  | 'end_passed'
  | 'unknown_domain'
  | 'own_host'
  | 'blocked_host';

interface CheckRow {
  readonly place: number;
  readonly credential_ok: number;
  readonly client_ok: number;
  readonly scope_ok: number;
  readonly end_ok: number;
  readonly domain_ok: number;
  readonly target_ok: number;
  readonly host_blocked: number;
  readonly slug_ok: number;
}

/**
 * Inserts links with their addresses, each if every condition holds, and says of each what came of it: one batch, one
 * round trip, one transaction. For this alone the links' store reads the tables of accounts and domains. The address
 * goes first: its primary key decides who has the slug, and the link follows only where the address is its own.
 *
 * @param once for a create of one link: where its key is known, nothing is inserted, and what is known is the outcome
 * @param isFiltered whether the links count as blocked, whatever the list of blocked hosts says
 * @param beside statements at the end of the batch, whose rows nobody reads
 */
export async function insertLinks(
  db: Database,
  credential: Credential,
  links: readonly Link[],
  {
    once,
    isFiltered = false,
    beside = [],
  }: { readonly once?: Once; readonly isFiltered?: boolean; readonly beside?: readonly Statement[] } = {},
): Promise<(InsertOutcome | Once)[]> {
  const now = Date.now();
  const json = JSON.stringify(links.map((link) => ({ ...link, ...derived(link), isFiltered })));
  const params = [...grantParams(credential, now), json];
  const [keyId, userId] = credential.kind === 'api_key' ? [credential.keyId, null] : [null, credential.userId];
  const sql = links.some(({ customDomain }) => customDomain !== null) ? SQL_ON_DOMAINS : SQL_ON_OWN_HOST;
  const grants = GRANTS_OF[credential.kind];
  const statements: Statement[] = [
    { sql: grants + sql.insertAddresses, params: [...params, once?.key ?? null] },
    { sql: sql.insertLinks, params: [json, keyId, userId] },
    { sql: grants + sql.check, params },
  ];
  if (once) statements.push(...keep(credential, params, once));
  const results = await db.batch<[{ readonly link_id: string }, never, CheckRow, never, Once]>([
    ...statements,
    ...beside,
  ]);
  const [inserted, , checks, , kept] = results;
  const [known] = once ? kept : [];
  const ids = new Set(inserted.map(({ link_id: id }) => id));
  const checkOf = new Map(checks.map((check) => [check.place, check]));
  return links.map((link, place) => (ids.has(link.id) ? 'inserted' : failedCheck(link, checkOf.get(place), known)));
}

function derived(link: Link) {
  return { folded: foldSlug(link.slug), targetHost: hostnameOf(new URL(link.url)) };
}

/**
 * The statements of a create, for each `item` of a list of links: one row of each table, whatever the length of the list.
 *
 * @param onDomains whether a link of the list may be on a custom domain. Where none is, most of what is asked of domains is
 *   left out, as SQLite takes longer to compile these statements than to run them.
 */
function sqlOf({ onDomains }: { readonly onDomains: boolean }) {
  const isEndOk = `coalesce(item.value ->> 'expiresAt' > ?5, TRUE)`;
  const isDomainOk = onDomains
    ? `(item.value ->> 'customDomain' IS NULL OR EXISTS (SELECT 1 FROM domains
        WHERE host = item.value ->> 'customDomain' AND ${IS_ACTIVE} AND client_id = item.value ->> 'clientId'))`
    : 'TRUE';
  const domainId = onDomains
    ? `CASE WHEN item.value ->> 'customDomain' IS NULL THEN '' ELSE
        (SELECT id FROM domains WHERE host = item.value ->> 'customDomain' AND ${IS_ACTIVE}) END`
    : `''`;
  const isTargetOk = `NOT EXISTS (SELECT 1 FROM domains WHERE host = item.value ->> 'targetHost' AND ${IS_ACTIVE})`;
  const isBlocked = `(item.value ->> 'isFiltered' OR ${isHostBlocked(`item.value ->> 'targetHost'`)})`;
  return {
    insertAddresses: `
      INSERT INTO addresses (domain_id, folded, slug, link_id)
      SELECT ${domainId}, item.value ->> 'folded', item.value ->> 'slug', item.value ->> 'id'
      FROM json_each(?6) AS item
      WHERE EXISTS (SELECT 1 FROM grants WHERE client_id = item.value ->> 'clientId' AND ${MAY_WRITE})
        AND ${isEndOk} AND ${isDomainOk} AND ${isTargetOk} AND NOT ${isBlocked}
        AND NOT EXISTS (SELECT 1 FROM links WHERE id = item.value ->> 'id')
        AND NOT EXISTS (
          SELECT 1 FROM idempotency_keys
          WHERE client_id = item.value ->> 'clientId' AND key = ?7 AND created_at > ?5 - ${IDEMPOTENCY_MS})
      ON CONFLICT DO NOTHING
      RETURNING link_id`,
    // Only what has just got its address: the statement that gave it has judged the credential. CROSS JOIN has the planner
    // go from the list to the addresses, which are many.
    insertLinks: `
      INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, campaign_name, metadata, created_at, updated_at,
        expires_at, revision, user_id, key_id)
      SELECT a.link_id, a.domain_id, a.slug, item.value ->> 'clientId', item.value ->> 'secId', item.value ->> 'url',
        item.value ->> 'campaignName', item.value ->> 'metadata', item.value ->> 'createdAt', item.value ->> 'createdAt',
        item.value ->> 'expiresAt', item.value ->> 'createdAt',
        coalesce(?3, (SELECT user_id FROM api_keys WHERE id = ?2)), ?2
      FROM json_each(?1) AS item CROSS JOIN addresses a
        ON a.domain_id = ${domainId} AND a.folded = item.value ->> 'folded' AND a.link_id = item.value ->> 'id'
      WHERE true
      ON CONFLICT (id) DO NOTHING`,
    // Of those that were not made: where all is well, it reads nothing of the credential or the domains.
    check: `
      SELECT item.key AS place, count(grants.user_id) > 0 AS credential_ok,
        coalesce(max(grants.client_id = item.value ->> 'clientId'), 0) AS client_ok,
        coalesce(max(grants.client_id = item.value ->> 'clientId' AND ${MAY_WRITE}), 0) AS scope_ok,
        ${isEndOk} AS end_ok, ${isDomainOk} AS domain_ok, ${isTargetOk} AS target_ok, ${isBlocked} AS host_blocked,
        NOT EXISTS (
          SELECT 1 FROM addresses WHERE domain_id = ${domainId} AND folded = item.value ->> 'folded') AS slug_ok
      FROM json_each(?6) AS item LEFT JOIN grants
      WHERE NOT EXISTS (SELECT 1 FROM links WHERE id = item.value ->> 'id' AND created_at = item.value ->> 'createdAt')
      GROUP BY item.key`,
  };
}

const SQL_ON_DOMAINS = sqlOf({ onDomains: true });
const SQL_ON_OWN_HOST = sqlOf({ onDomains: false });

function failedCheck(link: Link, checks: CheckRow | undefined, known: Once | undefined): InsertOutcome | Once {
  // Another link of this very moment has the id.
  if (!checks) return 'id_taken';
  if (!checks.credential_ok) return 'invalid_credential';
  if (!checks.client_ok) return 'wrong_client';
  if (!checks.scope_ok) return 'insufficient_scope';
  if (known) return known;
  if (!checks.end_ok) return 'end_passed';
  if (!checks.domain_ok) return 'unknown_domain';
  if (!checks.target_ok) return 'own_host';
  if (checks.host_blocked) return 'blocked_host';
  // A slug that nobody chose is the id.
  return checks.slug_ok || link.slug === link.id ? 'id_taken' : 'slug_taken';
}

/** Keeps the answer to a create that went well, and selects what is known of its key. */
function keep({ kind }: Credential, params: readonly Param[], { key, fingerprint, answer }: Once): Statement[] {
  return [
    {
      sql: `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at)
            SELECT client_id, ?2, ?3, ?4, ?5 FROM links
            WHERE id = (SELECT value ->> 'id' FROM json_each(?1)) AND created_at = (SELECT value ->> 'createdAt' FROM json_each(?1))
            ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer,
              created_at = excluded.created_at WHERE idempotency_keys.created_at <= excluded.created_at - ${IDEMPOTENCY_MS}`,
      params: [params[5] ?? null, key, fingerprint, answer, params[4] ?? null],
    },
    {
      sql: `${GRANTS_OF[kind]}
        SELECT key, fingerprint, answer FROM idempotency_keys
        WHERE key = ?7 AND created_at > ?5 - ${IDEMPOTENCY_MS} AND client_id = (SELECT value ->> 'clientId' FROM json_each(?6))
          AND client_id IN (SELECT client_id FROM grants WHERE ${MAY_WRITE})`,
      params: [...params, key],
    },
  ];
}

export function deleteIdempotencyKeysBefore(createdAt: number): Statement {
  return { sql: `DELETE FROM idempotency_keys WHERE created_at <= ?1`, params: [createdAt] };
}
