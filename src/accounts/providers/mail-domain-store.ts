import type { Statement } from '../../database/database.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import type { AuditAction } from '../audit/actions.ts';
import { insertAudit, insertServiceAudit } from '../audit/write-audit.ts';

/** The SQL of mail domains, by which people find the provider of their workspace. */

export interface MailDomainRow {
  readonly domain: string;
  readonly challenge: string;
  readonly proven_at: number | null;
}

/** The most mail domains of a workspace. */
export const MAX_MAIL_DOMAINS = 20;

export function selectMailDomains(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING} SELECT d.domain, d.challenge, d.proven_at FROM provider_domains d
          WHERE d.client_id = ${SOLE_CLIENT} AND EXISTS (SELECT 1 FROM acting) ORDER BY d.domain`,
    params: actingParams(actor, 'members', now),
  };
}

/** Adds a claim, unless there are too many. Returns a row if there is the claim now. */
export function insertMailDomain(actor: Actor, now: number, domain: string, challenge: string): Statement {
  return {
    sql: `${ACTING} INSERT INTO provider_domains (client_id, domain, challenge, created_at)
          SELECT a.client_id, ?8, ?9, ?5 FROM acting a WHERE a.client_id = ${SOLE_CLIENT}
            AND (SELECT count(*) FROM provider_domains d WHERE d.client_id = a.client_id AND d.domain <> ?8)
              < ${MAX_MAIL_DOMAINS}
          ON CONFLICT DO UPDATE SET domain = domain RETURNING domain`,
    params: [...actingParams(actor, 'members', now), domain, challenge],
  };
}

const auditOf = (actor: Actor, now: number, action: AuditAction, domain: string, where: string): Statement =>
  insertAudit(actor, 'members', now, {
    action,
    subjects: `SELECT d.client_id, d.domain, d.domain, NULL FROM provider_domains d WHERE ${where}`,
    params: [domain],
  });

const IS_THE_DOMAIN = `d.domain = ?8 AND d.client_id = ${SOLE_CLIENT}`;

/** Two statements: marks a claim as proven, unless another workspace has proven it. The second returns a row if it did. */
export function proveMailDomain(actor: Actor, now: number, domain: string): Statement[] {
  const where = `${IS_THE_DOMAIN} AND NOT EXISTS (
      SELECT 1 FROM provider_domains o WHERE o.domain = d.domain AND o.client_id <> d.client_id AND o.proven_at IS NOT NULL)`;
  return [
    auditOf(actor, now, 'provider.domain_verified', domain, `${where} AND d.proven_at IS NULL`),
    {
      sql: `${ACTING} UPDATE provider_domains AS d SET proven_at = coalesce(d.proven_at, ?5), checked_at = ?5, failures = 0
            WHERE ${where} AND EXISTS (SELECT 1 FROM acting) RETURNING domain`,
      params: [...actingParams(actor, 'members', now), domain],
    },
  ];
}

/** Two statements: removes a claim. */
export function deleteMailDomain(actor: Actor, now: number, domain: string): Statement[] {
  return [
    auditOf(actor, now, 'provider.domain_removed', domain, IS_THE_DOMAIN),
    {
      sql: `${ACTING} DELETE FROM provider_domains AS d WHERE ${IS_THE_DOMAIN} AND EXISTS (SELECT 1 FROM acting)`,
      params: [...actingParams(actor, 'members', now), domain],
    },
  ];
}

export interface ProvenRow {
  readonly client_id: string;
  readonly domain: string;
  readonly challenge: string;
}

/** The proven domains that were checked longest ago. */
export function selectProven(limit: number): Statement {
  return {
    sql: `SELECT client_id, domain, challenge FROM provider_domains WHERE proven_at IS NOT NULL
          ORDER BY checked_at, domain LIMIT ?1`,
    params: [limit],
  };
}

/** Notes that a check has found the proof, or null if it has failed itself. */
export function noteCheck({ client_id, domain }: ProvenRow, now: number, found: true | null): Statement {
  return {
    sql: `UPDATE provider_domains SET checked_at = ?3, failures = iif(?4, 0, failures) WHERE client_id = ?1 AND domain = ?2`,
    params: [client_id, domain, now, found ? 1 : 0],
  };
}

/** Two statements: notes that a check has found no proof, which ends it after so many in a row. */
export function missProof({ client_id, domain }: ProvenRow, now: number, most: number): Statement[] {
  const params = [client_id, domain, now, most];
  return [
    {
      sql: `WITH subject (client_id, id, name, action) AS (
              SELECT client_id, domain, domain, 'provider.domain_lost' FROM provider_domains
              WHERE client_id = ?1 AND domain = ?2 AND proven_at IS NOT NULL AND failures + 1 >= ?4)
            ${insertServiceAudit('?3')}`,
      params,
    },
    {
      sql: `UPDATE provider_domains SET checked_at = ?3, failures = failures + 1,
              proven_at = CASE WHEN failures + 1 >= ?4 THEN NULL ELSE proven_at END
            WHERE client_id = ?1 AND domain = ?2`,
      params,
    },
  ];
}
