import type { Database, Statement } from '../database/database.ts';
import { GRANTS, grantParams, type Credential } from './grants.ts';
import { invalidCredential } from './refusals.ts';

/** The one row of `selectConfirmed`. */
export interface ConfirmedRow {
  readonly ok: number;
}

/** True if a credential is still valid. */
export function selectConfirmed(credential: Credential): Statement {
  return {
    sql: `${GRANTS} SELECT EXISTS (SELECT 1 FROM grants) AS ok`,
    params: grantParams(credential, Date.now()),
  };
}

/** Checks in the database that a credential is still valid. Throws `invalid_credential`. */
export async function confirmCredential(db: Database, credential: Credential): Promise<void> {
  const row = await db.first<ConfirmedRow>(selectConfirmed(credential));
  if (row?.ok === 1) return;
  throw invalidCredential();
}
