import { insertNotices, ownersOf } from '../mail/notice-sql.ts';
import { ACTING, type Actor } from '../accounts/access.ts';
import { recordAudited } from '../accounts/audit/audit-events.ts';
import { insertServiceAudit } from '../accounts/audit/write-audit.ts';
import type { Statement } from '../database/database.ts';
import { IS_SERVING } from '../links/domain-conditions.ts';
import { disableMisled, recordDisabled } from '../links/domain-links-sql.ts';
import type { Domain } from './domain.ts';
import { COLUMNS, TOKEN, type DomainRow } from './domain-row.ts';
import { audit, NEW_TOKEN, SUBJECT, IS_THIS_DOMAIN, writing } from './store.ts';

/** The SQL that records the results of checks. */

/**
 * Makes a verified domain active, and the domain that served the host before pending. The latter gets a new token, so
 * that its record that is left in DNS no longer verifies it; its audit log records the loss, but not the new owner. Links
 * that have waited for the domain are disabled if they may no longer lead where they do; a row is returned for each.
 * Nothing happens if the token is not the verified one. Returns the changed domains.
 *
 * @param ownHosts the service's own hosts
 */
export function activateDomain(
  actor: Actor,
  { id, token }: Pick<Domain, 'id' | 'token'>,
  ownHosts: readonly string[],
  now: number,
): Statement[] {
  const isProved = `${IS_THIS_DOMAIN} AND ${TOKEN} = ?9`;
  const isNew = `(status <> 'active' OR verified_at IS NULL)`;
  const isLosing = `domains.id <> ?8 AND ${IS_SERVING} AND host = (SELECT host FROM domains WHERE ${isProved})`;
  const params = [...writing(actor, now), id, token];
  const waiting = {
    head: ACTING,
    domain: `${isProved} AND status = 'pending'`,
    now: '?5',
    userId: '(SELECT max(user_id) FROM acting)',
    ownHosts: '?10',
    editId: '?11',
  };
  const ofLinks = [...params, JSON.stringify(ownHosts), crypto.randomUUID()];
  return [
    {
      sql: `${ACTING}, subject (client_id, id, name, action) AS (${SUBJECT}, 'domain.taken_over' FROM domains WHERE ${isLosing})
        ${insertServiceAudit('?5')}`,
      params,
    },
    {
      sql: `${ACTING}
        UPDATE domains SET status = 'pending', token = ${NEW_TOKEN}, failures = 0 WHERE ${isLosing} RETURNING ${COLUMNS}`,
      params,
    },
    audit(actor, now, {
      action: 'domain.verified',
      subjects: `${SUBJECT}, NULL FROM domains WHERE ${isProved} AND ${isNew}`,
      params: [id, token],
    }),
    ...disableMisled(waiting, ofLinks),
    {
      sql: `${ACTING}
        UPDATE domains SET status = 'active', verified_at = ?5, checked_at = ?5, failures = 0
        WHERE ${isProved}
        RETURNING ${COLUMNS}`,
      params,
    },
    recordDisabled({ ...waiting, domain: isProved }, ofLinks),
  ];
}

/** Records the events about a domain that was activated, and about the one that served its host before. */
export const recordActivation = (id: string, now: number): Statement =>
  recordAudited(now, 'SELECT client_id FROM domains WHERE host = (SELECT host FROM domains WHERE id = ?2)', [id]);

/** Records the failed check of a claim. For a domain that serves links only the daily check counts failures. */
export function recordFailedCheck(actor: Actor, id: string, now: number): Statement {
  return {
    sql: `${ACTING} UPDATE domains SET checked_at = ?5 WHERE ${IS_THIS_DOMAIN} AND status = 'pending'`,
    params: [...writing(actor, now), id],
  };
}

/** A domain whose daily check is due. */
export type DueRow = Pick<DomainRow, 'id' | 'host' | 'token'>;

/** Selects domains that were verified before and not checked since an instant, those with the oldest check first. */
export function selectDue(checkedBefore: number, most: number): Statement {
  return {
    sql: `SELECT domains.id, host, ${TOKEN} AS token FROM domains
          WHERE ${IS_SERVING} AND verified_at IS NOT NULL AND coalesce(checked_at, 0) < ?1
          ORDER BY coalesce(checked_at, 0) LIMIT ?2`,
    params: [checkedBefore, most],
  };
}

/** The result of a daily check; `unknown` if DNS could not be asked, which says nothing about the domain. */
export interface Finding {
  readonly id: string;
  readonly token: string;
  readonly outcome: 'proved' | 'failed' | 'unknown';
}

/**
 * Records the results of checks, each at most once a day, and returns which domains are lost by them. Four statements; the
 * first adds lost and recovered domains to the audit log, the second returns domains, the third records events, and the
 * fourth inserts mails about lost ones, which are those of this instant.
 */
export function updateChecked(
  findings: readonly Finding[],
  { now, checkedBefore, most }: { readonly now: number; readonly checkedBefore: number; readonly most: number },
): Statement[] {
  const params = [JSON.stringify(findings), now, checkedBefore, most];
  const isDue = `domains.id = found.value ->> 'id' AND ${TOKEN} = found.value ->> 'token'
    AND ${IS_SERVING} AND coalesce(checked_at, 0) < ?3`;
  return [
    {
      sql: `WITH subject (client_id, id, name, action) AS (
          ${SUBJECT}, CASE status WHEN 'active' THEN 'domain.lost' ELSE 'domain.recovered' END
          FROM json_each(?1) AS found JOIN domains ON ${isDue}
          WHERE CASE found.value ->> 'outcome'
            WHEN 'failed' THEN status = 'active' AND failures + 1 >= ?4
            WHEN 'proved' THEN status = 'lost' END
        ) ${insertServiceAudit('?2')}`,
      params,
    },
    {
      sql: `UPDATE domains SET checked_at = ?2,
            failures = CASE found.value ->> 'outcome' WHEN 'proved' THEN 0 WHEN 'failed' THEN failures + 1 ELSE failures END,
            status = CASE found.value ->> 'outcome'
              WHEN 'proved' THEN 'active'
              WHEN 'failed' THEN CASE WHEN failures + 1 >= ?4 THEN 'lost' ELSE status END
              ELSE status END
          FROM json_each(?1) AS found
          WHERE ${isDue}
          RETURNING host, status, failures`,
      params,
    },
    recordAudited(now, `SELECT client_id FROM domains WHERE id IN (SELECT value ->> 'id' FROM json_each(?2))`, [
      JSON.stringify(findings),
    ]),
    insertNotices(now, {
      kind: 'domain_lost',
      people: ownersOf(`SELECT client_id FROM domains WHERE status = 'lost' AND failures = ?5 AND checked_at = ?2
        AND id IN (SELECT value ->> 'id' FROM json_each(?4))`),
      params: [JSON.stringify(findings), most],
    }),
  ];
}
