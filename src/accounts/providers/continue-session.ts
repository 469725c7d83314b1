import type { Database } from '../../database/database.ts';
import { hashSecret } from '../../secrets/random-secrets.ts';
import { IDLE_MS } from '../sessions/lifetime.ts';
import type { ConfirmByRefreshToken } from '../suspension/daily.ts';
import { confirm, suspendRefused } from '../suspension/suspension-store.ts';
import * as store from './continue-session-store.ts';

/** Continuing the session of a provider after its eight hours, if the provider still confirms its person. */

/** A session that ended because its time was over. */
export interface EndedSession {
  readonly row: store.EndedRow;
  /** Null for the provider of the service. */
  readonly clientId: string | null;
  /** The provider of the session, as it is asked. */
  readonly provider: { readonly id: string; readonly issuer: string; readonly application: string };
  /** True if the provider gave a refresh token. */
  readonly hasToken: boolean;
}

/** Finds the session of a cookie's value; null if it can only begin anew. Throws `store_unavailable`. */
export async function findEndedSession(db: Database, value: string): Promise<EndedSession | null> {
  const now = Date.now();
  const [[row]] = await db.batch<[store.EndedRow]>([store.selectEnded(hashSecret(value), now, now - IDLE_MS)]);
  if (!row) return null;
  return { row, clientId: row.client_id, provider: row, hasToken: row.refresh_token !== null };
}

/**
 * Asks the provider with the refresh token, and lets the session continue for eight hours if it confirms the person, 30 days
 * after its beginning at most. A refusal suspends the person as that of the daily pass does. Returns false if the session
 * does not continue. Throws `store_unavailable`.
 */
export async function continueSession(
  db: Database,
  ask: ConfirmByRefreshToken,
  { row }: EndedSession,
): Promise<boolean> {
  const { refresh_token: sent, client_id: clientId, id, issuer, application, secret, subject } = row;
  if (sent === null) return false;
  const [begun] = await db.batch<[unknown]>([store.beginAsking(row, Date.now())]);
  // Another request of the same browser asks.
  if (begun.length === 0) return waitUntilContinued(db, row);
  const said = await ask({ id, clientId, issuer, application, secret }, sent);
  const now = Date.now();
  const identity = { providerId: id, subject };
  if (said.outcome === 'unknown') return false;
  if (said.outcome === 'refused') {
    await db.batch(suspendRefused(identity, now, sent));
    return false;
  }
  const rows = await db.batch<unknown[]>([
    ...confirm(identity, now, { sent, received: said.refreshToken }),
    store.extend(row, now),
  ]);
  return (rows.at(-1) as readonly unknown[]).length > 0;
}

const WAITS = 20;
const WAIT_MS = 300;

async function waitUntilContinued(db: Database, { family_id: familyId }: store.EndedRow): Promise<boolean> {
  for (let wait = 0; wait < WAITS; wait++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    const [rows] = await db.batch<[unknown]>([
      {
        sql: 'SELECT 1 FROM token_families WHERE id = ?1 AND ended_at IS NULL AND ends_at > ?2',
        params: [familyId, Date.now()],
      },
    ]);
    if (rows.length > 0) return true;
  }
  return false;
}
