import type { Database } from '../../database/database.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './grant-store.ts';

/** An application that a user has connected. */
export interface Connection {
  readonly id: string;
  /** The name that the application gave itself, or null. */
  readonly name: string | null;
  readonly host: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly connectedAt: number;
  /** Milliseconds since the epoch, up to an hour late. */
  readonly usedAt: number;
}

/** Lists the applications that the user of a session has connected, those used last first. Throws `store_unavailable`. */
export async function listConnections(db: Database, { credential }: Session): Promise<readonly Connection[]> {
  const [rows] = await db.batch<[store.ConnectionRow]>([store.selectConnections(credential, Date.now())]);
  return rows.map((row) => ({
    id: row.family_id,
    name: row.name === '' ? null : row.name,
    host: row.host,
    client: { id: row.client_id, name: row.client_name },
    scopes: row.scopes.split(' '),
    connectedAt: row.started_at,
    usedAt: row.used_at,
  }));
}

/**
 * Ends one of the user's connections, and says so in the audit log of its client. It is no error if it has ended or
 * belongs to another user. Throws `store_unavailable`.
 */
export async function endConnection(db: Database, session: Session, id: string): Promise<void> {
  const connection = (await listConnections(db, session)).find((each) => each.id === id);
  if (connection === undefined) return;
  const { credential } = session;
  const now = Date.now();
  const actor = { credential, clientId: connection.client.id };
  await db.batch([store.recordEnd(actor, now, id), store.endConnection(credential, now, id)]);
}
