import type { Database, Statement } from '../database.ts';

/** Whether links are served on a host: it is an active custom domain, or a lost one. */
export async function findServing(db: Database, host: string): Promise<boolean> {
  const row = await db.first({ sql: `SELECT 1 FROM domains WHERE host = ?1 AND status <> 'pending'`, params: [host] });
  return row !== null;
}

/** Inserts an active domain of an existing client; no row where the client is unknown or the host is served already. */
export function insertActiveDomain(host: string, clientId: string): Statement {
  return {
    sql: `INSERT INTO domains (client_id, host, status) SELECT id, ?1, 'active' FROM clients WHERE id = ?2
          ON CONFLICT DO NOTHING RETURNING id`,
    params: [host, clientId],
  };
}
