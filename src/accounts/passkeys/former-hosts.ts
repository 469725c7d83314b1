import type { Database } from '../../database/database.ts';
import { selectHost, type HostRow } from './passkey-store.ts';

/** True if there are passkeys of a host, at which the service then was before a move. Throws `store_unavailable`. */
export async function hasPasskeysOf(db: Database, host: string): Promise<boolean> {
  return (await db.first<HostRow>(selectHost(host))) !== null;
}
