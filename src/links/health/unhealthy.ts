/** The result of the checks of a link's destinations, as far as its owner sees it. */

/** Why the check of a destination has failed: by the status of the response, or since there was none. */
export const FAILURE_REASONS = ['status', 'no_such_name', 'tls', 'connection'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A destination of a link whose checks have failed twice, a day apart. */
export interface Unhealthy {
  readonly url: string;
  readonly reason: FailureReason;
  /** The status of the last response; null without one. */
  readonly status: number | null;
  /** The instant of the first failed check, in milliseconds since the epoch. */
  readonly since: number;
}

const UNHEALTHY_OF_LINK = `link_checks k CROSS JOIN destination_checks c
    ON c.client_id = k.client_id AND c.url_hash = k.url_hash
  WHERE k.link_id = l.id AND c.unhealthy_since IS NOT NULL`;

/**
 * The unhealthy destinations of links `l`, as a JSON list of `Unhealthy`, in no order: a list of links needs no sort. NULL
 * while no destination is unhealthy, which is found out once in a query.
 */
export const UNHEALTHY = `CASE WHEN EXISTS (
    SELECT 1 FROM destination_checks INDEXED BY destination_checks_unhealthy WHERE unhealthy_since IS NOT NULL)
  THEN (SELECT json_group_array(
      json_object('url', c.url, 'reason', c.reason, 'status', c.status, 'since', c.unhealthy_since))
    FROM ${UNHEALTHY_OF_LINK}) END`;

/** The destination that has failed longest, of a list of `UNHEALTHY`; null for none. */
export function longestUnhealthy(json: string): Unhealthy | null {
  const all: readonly Unhealthy[] = JSON.parse(json);
  return all.toSorted((a, b) => a.since - b.since)[0] ?? null;
}

/** True if links `l` have an unhealthy destination, in SQL. */
export const HAS_UNHEALTHY = `EXISTS (SELECT 1 FROM ${UNHEALTHY_OF_LINK})`;

/** The links of a client with an unhealthy destination, as a table of `id`, in SQL. */
export const unhealthyLinksOf = (client: string): string => `(SELECT DISTINCT k.link_id AS id
  FROM destination_checks c INDEXED BY destination_checks_unhealthy
  CROSS JOIN link_checks k ON k.client_id = c.client_id AND k.url_hash = c.url_hash
  WHERE c.client_id = ${client} AND c.unhealthy_since IS NOT NULL)`;

/**
 * True if the destinations of links `l` are checked, in SQL: those of active links, where the link or else its
 * workspace says so.
 *
 * @param now an expression for the time
 */
export const isChecked = (now: string): string => `(l.deleted_at IS NULL AND l.disabled_at IS NULL
  AND (l.expires_at IS NULL OR l.expires_at > ${now})
  AND (l.check_destination = 1 OR (l.check_destination IS NULL
    AND EXISTS (SELECT 1 FROM check_sweeps s WHERE s.client_id = l.client_id AND s.is_whole = 1))))`;
