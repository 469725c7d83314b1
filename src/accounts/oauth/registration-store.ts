import type { Statement } from '../../database/database.ts';
import { HOUR_MS } from '../../time/day.ts';

/** The SQL of applications that register themselves. */

/** The most registrations of an address in an hour. */
const MOST_AN_HOUR = 10;
/** The most applications of the register. */
export const MAX_APPLICATIONS = 10_000;

interface NewApplication {
  readonly id: string;
  readonly name: string;
  /** JSON */
  readonly redirectUris: string;
  readonly address: string;
  readonly now: number;
}

const RECENT = `(SELECT count(*) FROM oauth_applications WHERE address = ?1 AND created_at > ?2 - ${HOUR_MS})`;
// Before `ALL`, so that an address beyond its limit has no rows read but its own.
const IS_WITHIN = `${RECENT} < ${MOST_AN_HOUR}`;
const ALL = `(SELECT count(*) FROM oauth_applications)`;

/**
 * Registers an application, in a full register in place of the oldest that was never consented to. The second statement
 * returns a row if it did, and the third one the registrations of the address in the last hour.
 */
export function insertApplication({ id, name, redirectUris, address, now }: NewApplication): Statement[] {
  return [
    {
      sql: `DELETE FROM oauth_applications WHERE ${IS_WITHIN} AND ${ALL} >= ${MAX_APPLICATIONS} AND id = (
              SELECT id FROM oauth_applications WHERE consented_at IS NULL AND created_at <= ?2 - ${HOUR_MS}
              ORDER BY created_at, id LIMIT 1)`,
      params: [address, now],
    },
    {
      sql: `INSERT INTO oauth_applications (id, name, redirect_uris, address, created_at)
            SELECT ?3, ?4, ?5, ?1, ?2 WHERE ${IS_WITHIN} AND ${ALL} < ${MAX_APPLICATIONS} RETURNING id`,
      params: [address, now, id, name, redirectUris],
    },
    { sql: `SELECT ${RECENT} >= ${MOST_AN_HOUR} AS is_over`, params: [address, now] },
  ];
}

export interface ApplicationRow {
  readonly name: string;
  /** JSON */
  readonly redirect_uris: string;
}

export function selectApplication(id: string): Statement {
  return { sql: `SELECT name, redirect_uris FROM oauth_applications WHERE id = ?1`, params: [id] };
}

const UNUSED_DAYS = 90;

/**
 * For the daily clean-up: applications without a consent for 90 days and without a grant. The address is needed for an
 * hour.
 */
export function forgetApplications(now: number): Statement[] {
  return [
    {
      sql: `UPDATE oauth_applications SET address = NULL WHERE address IS NOT NULL AND created_at <= ?1`,
      params: [now - HOUR_MS],
    },
    {
      sql: `DELETE FROM oauth_applications WHERE coalesce(consented_at, created_at) <= ?1
              AND id NOT IN (SELECT application FROM oauth_grants)`,
      params: [now - UNUSED_DAYS * 24 * HOUR_MS],
    },
  ];
}
