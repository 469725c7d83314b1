import { RESTORABLE_MS } from '../managed-link.ts';

/** SQL for whether the link `l` is a deleted one of a client that can still be restored. */
export const isRestorableOf = (client: string, now: string): string =>
  `(l.client_id = ${client} AND l.deleted_at > ${now} - ${RESTORABLE_MS} AND l.url <> '')`;

/**
 * SQL for the id of the deleted link of a client that has an address and can still be restored; NULL if there is none.
 * All are SQL expressions: the domain and the key of the address, the client, and the time in milliseconds.
 */
export const deletedOwnerOf = (domain: string, key: string, client: string, now: string): string =>
  `(SELECT l.id FROM addresses a CROSS JOIN links l ON l.id = a.link_id
    WHERE a.domain_id = ${domain} AND a.folded = ${key} AND ${isRestorableOf(client, now)})`;
