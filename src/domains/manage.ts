import type { Database } from '../database.ts';
import { findServing, insertActiveDomain } from './store.ts';

/** Whether links are served on a host that is not the service's own. Throws `store_unavailable`. */
export async function servesHost(db: Database, host: string): Promise<boolean> {
  return findServing(db, host);
}

/** Makes a host an active domain of a client, on the operator's word. False where the client or the host says no. */
export async function addActiveDomain(db: Database, host: string, clientId: string): Promise<boolean> {
  const [inserted] = await db.batch<[unknown]>([insertActiveDomain(host, clientId)]);
  return inserted.length === 1;
}
