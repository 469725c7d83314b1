import type { AppLinks } from './app-links.ts';

/** Active: verified, and takes links. Lost: its records were removed; it serves the links it has. */
export type DomainStatus = 'pending' | 'active' | 'lost';

/** A client's claim to a host name. Instants are milliseconds since the epoch. */
export interface Domain {
  readonly id: string;
  readonly clientId: string;
  readonly host: string;
  readonly status: DomainStatus;
  /** The text of the TXT record; each claim has its own. */
  readonly token: string;
  /** Where `GET /` leads, or null for a small 404 page. */
  readonly rootUrl: string | null;
  /** Where an unknown slug leads, or null for a small 404 page. */
  readonly notFoundUrl: string | null;
  readonly createdAt: number;
  /** When its client last verified it; null before that, and if only the operator has made it active. */
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  /** Daily checks in a row that found no proof. */
  readonly failures: number;
  /** True if two of its slugs may differ in case only. */
  readonly caseSensitive: boolean;
  /** True if a path is followed without what text programs add to it. */
  readonly tolerant: boolean;
  /** The number of characters of its generated slugs. */
  readonly slugLength: number;
}

/** A domain with its app links, which may be large: lists and checks leave them out. */
export interface DomainWithAppLinks extends Domain {
  readonly appLinks: AppLinks;
}

/** The number of daily checks in a row that have to fail before a domain is lost. */
export const FAILURES_UNTIL_LOST = 3;

/**
 * The TXT record that proves that a client controls a domain. It has a name of its own, so that it is in conflict with
 * no other record.
 */
export function txtRecordOf({ host, token }: Pick<Domain, 'host' | 'token'>): { name: string; value: string } {
  return { name: `_terse.${host}`, value: `terse-domain=${token}` };
}
