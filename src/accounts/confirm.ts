import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import { GRANTS, grantParams, type Credential } from './grants.ts';

/** Asks the database whether a credential still counts, and for nothing else. Throws `invalid_credential`. */
export async function confirmCredential(db: Database, credential: Credential): Promise<void> {
  const params = grantParams(credential, Date.now());
  const row = await db.first<{ ok: number }>({ sql: `${GRANTS} SELECT EXISTS (SELECT 1 FROM grants) AS ok`, params });
  if (row?.ok === 1) return;
  throw new AppError('invalid_credential', 'The credential is revoked, expired or unknown. Use another one.');
}
