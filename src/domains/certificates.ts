import type { Database } from '../database/database.ts';
import type { Resolver } from '../network/dns.ts';
import { txtRecordOf } from './domain.ts';
import { findPendingTokens, findServing } from './serving-store.ts';

/**
 * True if a proxy may get a certificate for a host: links are served on it, or it is a pending domain whose TXT record
 * proves that its client controls it, since the other half of the proof is a request to the host by https. Throws
 * `resolver_unavailable`.
 *
 * @param resolve looks up the TXT record; it is called for pending domains only
 */
export async function mayHaveCertificate(db: Database, resolve: Resolver, host: string): Promise<boolean> {
  if (await findServing(db, host)) return true;
  const tokens = await findPendingTokens(db, host);
  if (tokens.length === 0) return false;
  const claims = tokens.map((token) => txtRecordOf({ host, token }));
  const records = await resolve(claims[0]!.name);
  return typeof records !== 'string' && records.some((text) => claims.some(({ value }) => text.trim() === value));
}
