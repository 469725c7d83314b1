import type { Database, Statement } from '../../database/database.ts';
import type { ApplicationPassword } from '../application-passwords/application-password.ts';
import { KEY_SCOPE_LIST } from '../scopes.ts';
import { recordProgramBegun } from '../sessions/sign-in-records.ts';
import type { FamilyRow } from './refresh-token-store.ts';

/** The SQL by which programs begin families of tokens: each in one batch with its first refresh token and its records. */

interface NewFamily {
  readonly id: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly refreshHash: string;
  readonly country: string | null;
}

/**
 * Begins a family with the user's own password; null if the password or status has changed meanwhile, or a sign-in needs
 * a second factor.
 */
export async function insertFamilyByPassword(
  db: Database,
  family: NewFamily,
  user: { readonly id: string; readonly passwordHash: string },
): Promise<FamilyRow | null> {
  const [inserted] = await db.batch<[FamilyRow, ...never[]]>([
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by)
            SELECT ?1, id, ?2, ?3, 'password' FROM users
            WHERE id = ?4 AND password_hash = ?5 AND disabled_at IS NULL AND factor_since IS NULL
            RETURNING id, user_id, ends_at`,
      params: [family.id, family.startedAt, family.endsAt, user.id, user.passwordHash],
    },
    insertRefreshToken(family),
    noteUse(family, 'users', 'basic_used_at', user.id),
    recordProgramBegun(family.id, family.startedAt, 'basic', family.country),
  ]);
  return inserted[0] ?? null;
}

/** Begins a family with an application password; null unless it is a working one of a working user of this name. */
export async function insertFamilyByApplication(
  db: Database,
  family: NewFamily,
  { name, password }: { readonly name: string; readonly password: ApplicationPassword },
): Promise<FamilyRow | null> {
  const [inserted] = await db.batch<[FamilyRow, ...never[]]>([
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, client_id, provider_id, scopes)
            SELECT ?1, u.id, ?2, ?3, 'application_password', p.id, p.client_id, p.provider_id, '${KEY_SCOPE_LIST}'
            FROM application_passwords p JOIN users u ON u.id = p.user_id
            WHERE p.id = ?4 AND p.secret_hash = ?5 AND p.revoked_at IS NULL AND u.name = ?6 AND u.disabled_at IS NULL
            RETURNING id, user_id, ends_at`,
      params: [family.id, family.startedAt, family.endsAt, password.id, password.secretHash, name],
    },
    insertRefreshToken(family),
    noteUse(family, 'application_passwords', 'last_used_at', password.id),
    recordProgramBegun(family.id, family.startedAt, 'application_password', family.country),
  ]);
  return inserted[0] ?? null;
}

const insertRefreshToken = ({ id, refreshHash }: NewFamily): Statement => ({
  sql: `INSERT INTO refresh_tokens (hash, family_id, status) SELECT ?1, id, 'live' FROM token_families WHERE id = ?2`,
  params: [refreshHash, id],
});

// Precise enough for people, and saves a write per use.
const MIN_NOTE_INTERVAL_MS = 10 * 60 * 1000;

/** Notes the use of a password, if the family has begun. */
const noteUse = (
  { id: familyId, startedAt }: NewFamily,
  table: 'users' | 'application_passwords',
  column: string,
  id: string,
): Statement => ({
  sql: `UPDATE ${table} SET ${column} = ?2
        WHERE id = ?3 AND coalesce(${column}, 0) <= ?2 - ${MIN_NOTE_INTERVAL_MS}
          AND EXISTS (SELECT 1 FROM token_families WHERE id = ?1)`,
  params: [familyId, startedAt, id],
});
