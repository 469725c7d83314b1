import { ACTING, SOLE_CLIENT, actingParams, type Actor } from '../accounts/access.ts';
import { insertAudit, insertOperatorAudit, type AuditedChange } from '../accounts/audit/write-audit.ts';
import type { Permission } from '../accounts/scopes.ts';
import type { Param, Statement } from '../database/database.ts';
import { isHostBlocked } from '../targets/blocklist.ts';
import { countLinks, disableMisled, recordDisabled } from '../links/domain-links-sql.ts';
import { rowsOfPage, type Page } from '../input/pagination.ts';
import { IS_SERVING } from '../links/domain-conditions.ts';
import { appLinksParam, changedAppLinks, writeAppLinks } from './app-link-store.ts';
import { COLUMNS, type DomainRow } from './domain-row.ts';
import { hostnameOf } from '../network/hosts.ts';
import { newHexId } from '../secrets/random-secrets.ts';
import type { DomainChange, NewDomain } from './input.ts';

export const NEW_TOKEN = 'lower(hex(randomblob(16)))';
/** Under `ACTING`: the domain ?8, if it belongs to the client that the actor acts for. */
export const IS_THIS_DOMAIN = `domains.id = ?8 AND removed_at IS NULL AND client_id = ${SOLE_CLIENT}`;

/** The beginning of a domain's SELECT for the audit log; the details follow. */
export const SUBJECT = 'SELECT client_id, domains.id, host';

/** Deleted links keep their addresses. */
const HAS_ADDRESSES = 'EXISTS (SELECT 1 FROM addresses WHERE domain_id = domains.id)';

/**
 * Inserts an active domain of an existing client, or activates the client's claim, after `disableMisled` if that is
 * pending. Returns `domain_id`, unless the client is unknown or
 * the host is served already.
 */
export function insertActiveDomain(host: string, clientId: string, now: number): Statement[] {
  const claim = `host = ?1 AND client_id = ?2 AND removed_at IS NULL`;
  const isWaiting = `${claim} AND status = 'pending'
    AND NOT EXISTS (SELECT 1 FROM domains AS other WHERE other.host = ?1 AND other.${IS_SERVING})`;
  const of = { head: '', now: '?3', userId: 'NULL', ownHosts: '?4', editId: '?5' };
  const params = [host, clientId, now, '[]', crypto.randomUUID()];
  const id = newHexId();
  return [
    insertOperatorAudit(now, {
      action: 'domain.added',
      subjects: `SELECT c.id, coalesce((SELECT id FROM domains WHERE host = ?3 AND client_id = ?4 AND removed_at IS NULL), ?5),
          ?3, NULL
        FROM clients c WHERE c.id = ?4 AND NOT EXISTS (SELECT 1 FROM domains WHERE host = ?3 AND ${IS_SERVING})`,
      params: [host, clientId, id],
    }),
    ...disableMisled({ ...of, domain: isWaiting }, params),
    {
      sql: `INSERT INTO domains (id, client_id, host, status, token)
            SELECT ?3, id, ?1, 'active', ${NEW_TOKEN} FROM clients
            WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM domains WHERE host = ?1 AND ${IS_SERVING})
            ON CONFLICT (client_id, host) WHERE removed_at IS NULL DO UPDATE SET status = 'active' RETURNING id AS domain_id`,
      params: [host, clientId, id],
    },
    recordDisabled({ ...of, domain: claim }, params),
  ];
}

/**
 * Inserts a claim of the actor's client, and its audit entry; no row if the client has claimed the host before, or has
 * too many domains.
 */
export function insertDomain(
  actor: Actor,
  { id, host, rootUrl, notFoundUrl, caseSensitive, tolerant, slugLength }: NewDomain & { readonly id: string },
  { most, now, permission }: { readonly most: number; readonly now: number; readonly permission: Permission },
): Statement[] {
  return [
    {
      sql: `${ACTING}
        INSERT INTO domains (id, client_id, host, token, root_url, not_found_url, created_at, case_sensitive, tolerant,
          slug_length)
        SELECT ?8, ${SOLE_CLIENT}, ?9, ${NEW_TOKEN}, ?10, ?11, ?5, ?15, ?16, ?17
        WHERE ${SOLE_CLIENT} IS NOT NULL
          AND (SELECT count(*) FROM domains WHERE client_id = ${SOLE_CLIENT} AND removed_at IS NULL) < ?12
          AND NOT ${servesAny('?13', '?14')} AND NOT ${isHostBlocked('?13')} AND NOT ${isHostBlocked('?14')}
        ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      params: [
        ...actingParams(actor, permission, now),
        id,
        host,
        rootUrl?.href ?? null,
        notFoundUrl?.href ?? null,
        most,
        hostOf(rootUrl),
        hostOf(notFoundUrl),
        Number(caseSensitive),
        Number(tolerant),
        slugLength,
      ],
    },
    insertAudit(actor, permission, now, {
      action: 'domain.added',
      subjects: `${SUBJECT}, NULL FROM domains WHERE ${IS_THIS_DOMAIN}`,
      params: [id],
    }),
  ];
}

/** The conditions for inserting a claim: one row. */
export interface ConditionsRow {
  /** The id of the client's earlier claim to the host, or null. */
  readonly claim_id: string | null;
  /** True if a target leads back to a host of this service. */
  readonly is_circle: number;
}

export function selectConditions(actor: Actor, { host, rootUrl, notFoundUrl }: NewDomain, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT (SELECT domains.id FROM domains WHERE client_id = ${SOLE_CLIENT} AND host = ?8 AND removed_at IS NULL) AS claim_id,
        ${servesAny('?9', '?10')} AS is_circle`,
    params: [...writing(actor, now), host, hostOf(rootUrl), hostOf(notFoundUrl)],
  };
}

export function selectDomains(actor: Actor, now: number, { after, limit }: Page): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM domains
      WHERE client_id = ${SOLE_CLIENT} AND removed_at IS NULL AND (created_at, domains.id) < (?8, ?9)
      ORDER BY created_at DESC, domains.id DESC LIMIT ?10`,
    params: [...actingParams(actor, 'domains:read', now), ...after, rowsOfPage(limit)],
  };
}

export type ChangedRow = DomainRow & { readonly has_addresses: number };

/** Selects a domain after a change of it, to find out why it was not changed. */
export function selectForChange(actor: Actor, id: string, now: number): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS}, ${HAS_ADDRESSES} AS has_addresses FROM domains WHERE ${IS_THIS_DOMAIN}`,
    params: [...writing(actor, now), id],
  };
}

export function selectDomain(actor: Actor, permission: Permission, id: string, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM domains
      WHERE domains.id = ?8 AND removed_at IS NULL AND client_id IN (SELECT client_id FROM acting)`,
    params: [...actingParams(actor, permission, now), id],
  };
}

/**
 * Changes where a domain's root and unknown slugs lead, how its slugs are spelled, and its app links: four
 * statements; the last returns the domain. It returns no row, and nothing changes, if the domain would lead to
 * itself or to another serving domain, or if its addresses are stored under the other rule.
 */
export function updateDomain(
  actor: Actor,
  id: string,
  { rootUrl, notFoundUrl, caseSensitive, tolerant, slugLength, appLinks = {} }: DomainChange,
  now: number,
): Statement[] {
  const [newCase, newTolerance] = [caseSensitive, tolerant].map((flag) => (flag === undefined ? null : Number(flag)));
  const params = [
    id,
    ...given(rootUrl),
    ...given(notFoundUrl),
    hostOf(rootUrl),
    hostOf(notFoundUrl),
    newCase!,
    newTolerance!,
    slugLength ?? null,
  ];
  const withFiles = [...params, appLinksParam(appLinks)];
  const isAway = `${IS_THIS_DOMAIN} AND host IS NOT ?13 AND host IS NOT ?14 AND NOT ${servesAny('?13', '?14')}
    AND NOT ${isHostBlocked('?13')} AND NOT ${isHostBlocked('?14')}
    AND (coalesce(?15, case_sensitive) = case_sensitive OR NOT ${HAS_ADDRESSES})`;
  const [newRootUrl, newNotFoundUrl] = [
    'CASE ?9 WHEN 1 THEN ?10 ELSE root_url END',
    'CASE ?11 WHEN 1 THEN ?12 ELSE not_found_url END',
  ];
  const changedFiles = changedAppLinks('?18');
  const changedCase = changedFlag('?15', 'case_sensitive');
  const changedTolerance = changedFlag('?16', 'tolerant');
  const changedLength = 'nullif(coalesce(?17, slug_length), slug_length)';
  // The null of an unchanged field removes it from the details; those of the URLs stay.
  const details = `json_patch(json_object('root_url', ${newRootUrl}, 'not_found_url', ${newNotFoundUrl}),
    json_object('case_sensitive', json(${changedCase}), 'tolerant', json(${changedTolerance}),
      'slug_length', ${changedLength}, 'app_links', json(${changedFiles})))`;
  const subjects = `${SUBJECT}, ${details} FROM domains
    WHERE ${isAway} AND (root_url IS NOT ${newRootUrl} OR not_found_url IS NOT ${newNotFoundUrl}
      OR ${changedCase} IS NOT NULL OR ${changedTolerance} IS NOT NULL OR ${changedLength} IS NOT NULL OR ${changedFiles} IS NOT NULL)`;
  return [
    audit(actor, now, { action: 'domain.changed', subjects, params: withFiles }),
    ...writeAppLinks(isAway, '?18', [...writing(actor, now), ...withFiles]),
    {
      sql: `${ACTING}
        UPDATE domains SET root_url = ${newRootUrl}, not_found_url = ${newNotFoundUrl},
          case_sensitive = coalesce(?15, case_sensitive), tolerant = coalesce(?16, tolerant),
          slug_length = coalesce(?17, slug_length)
        WHERE ${isAway}
        RETURNING ${COLUMNS}`,
      params: [...writing(actor, now), ...params],
    },
  ];
}

// As JSON; null if the flag stays as it is.
const changedFlag = (flag: string, column: string) =>
  `CASE WHEN coalesce(${flag}, ${column}) = ${column} THEN NULL WHEN ${flag} = 1 THEN 'true' ELSE 'false' END`;

/** True if links are served on one of these hosts, which may be NULL. */
function servesAny(...hosts: readonly string[]): string {
  return `EXISTS (SELECT 1 FROM domains AS other WHERE other.host IN (${hosts.join(', ')}) AND other.status <> 'pending')`;
}

export type DomainInUseRow = DomainRow & { readonly links: number };

export function selectInUse(actor: Actor, id: string, now: number): Statement {
  return {
    sql: `${ACTING} SELECT ${COLUMNS}, ${countLinks('domains.id')} AS links FROM domains WHERE ${IS_THIS_DOMAIN}`,
    params: [...writing(actor, now), id],
  };
}

const given = (url: URL | null | undefined): Param[] => [Number(url !== undefined), url?.href ?? null];
export const hostOf = (url: URL | null | undefined): string | null => (url ? hostnameOf(url) : null);
export const audit = (actor: Actor, now: number, change: AuditedChange) =>
  insertAudit(actor, 'domains:write', now, change);
export const writing = (actor: Actor, now: number) => actingParams(actor, 'domains:write', now);
