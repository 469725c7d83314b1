import type { Statement } from '../database/database.ts';
import { isHostBlocked } from '../targets/blocklist.ts';
import type { DomainChange } from './input.ts';
import { hostOf } from './store.ts';

/** True if the host that a URL of a domain leads to is blocked: one row. */
export interface BlockedRow {
  readonly root_url: number;
  readonly not_found_url: number;
}

export function selectBlocked({ rootUrl, notFoundUrl }: DomainChange): Statement {
  return {
    sql: `SELECT ${isHostBlocked('?1')} AS root_url, ${isHostBlocked('?2')} AS not_found_url`,
    params: [hostOf(rootUrl), hostOf(notFoundUrl)],
  };
}
