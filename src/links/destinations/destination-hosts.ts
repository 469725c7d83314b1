import { hostOf, isHostAtOrBelow, isHostBlocked } from '../../targets/blocklist.ts';
import { IS_SERVING } from '../domain-conditions.ts';

/** Conditions in SQL on the hosts of the destinations of links. */

/**
 * The hosts that the operator has blocked among those of all destinations of a link, in SQL: a JSON array, or NULL. A
 * trigger keeps `link_hosts`, which has those of its other destinations.
 *
 * @param links the table of links, by the name that it has in the query
 */
export function blockedHostsOf(links: string): string {
  return `(SELECT CASE WHEN count(*) > 0 THEN json_group_array(led_to) END FROM (
    SELECT ${hostOf(`${links}.url`)} AS led_to UNION SELECT host FROM link_hosts WHERE link_id = ${links}.id
  ) WHERE ${isHostBlocked('led_to')})`;
}

/**
 * One of some hosts that is a custom domain of the service, in SQL, or NULL.
 *
 * @param hosts an expression for a JSON array of hosts
 */
export function ownHostAmong(hosts: string): string {
  return `(SELECT host FROM domains WHERE host IN (SELECT value FROM json_each(${hosts})) AND ${IS_SERVING} LIMIT 1)`;
}

/** One of some hosts that the operator has blocked, in SQL, or NULL. */
export function blockedHostAmong(hosts: string): string {
  return `(SELECT led_to FROM (SELECT value AS led_to FROM json_each(${hosts})) WHERE ${isHostBlocked('led_to')} LIMIT 1)`;
}

/** True if a link has another destination on a host or on one below it, in SQL. */
export function leadsElsewhereTo(links: string, host: string): string {
  return `EXISTS (SELECT 1 FROM link_hosts h WHERE h.link_id = ${links}.id AND ${isHostAtOrBelow('h.host', host)})`;
}
