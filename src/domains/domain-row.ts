import type { Domain, DomainStatus } from './domain.ts';

/** A domain as the database has it. */

export const TOKEN = 'coalesce(token, domains.id)';
export const COLUMNS = `domains.id, client_id, host, status, ${TOKEN} AS token, root_url, not_found_url, created_at, verified_at,
  checked_at, failures, case_sensitive, tolerant, slug_length`;

export interface DomainRow {
  readonly id: string;
  readonly client_id: string;
  readonly host: string;
  readonly status: DomainStatus;
  readonly token: string;
  readonly root_url: string | null;
  readonly not_found_url: string | null;
  readonly created_at: number;
  readonly verified_at: number | null;
  readonly checked_at: number | null;
  readonly failures: number;
  readonly case_sensitive: number;
  readonly tolerant: number;
  readonly slug_length: number;
}

export function toDomain(row: DomainRow): Domain {
  return {
    id: row.id,
    clientId: row.client_id,
    host: row.host,
    status: row.status,
    token: row.token,
    rootUrl: row.root_url,
    notFoundUrl: row.not_found_url,
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    checkedAt: row.checked_at,
    failures: row.failures,
    caseSensitive: row.case_sensitive === 1,
    tolerant: row.tolerant === 1,
    slugLength: row.slug_length,
  };
}
