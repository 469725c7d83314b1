import { nanoid } from 'nanoid';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { normalizeBounded } from '../../text/nfc.ts';
import { hashSecret } from '../../secrets/random-secrets.ts';
import { signToken } from '../../tokens/jwt.ts';
import type { TokenClaims } from '../../tokens/claims.ts';
import type { KeyRing } from '../../tokens/keys.ts';
import { FAMILY_LIFETIME_SECONDS } from '../sessions/lifetime.ts';
import type { ApplicationPassword } from '../application-passwords/application-password.ts';
import { wrongCredentials } from '../refusals.ts';
import { MAX_UNITS_OF_NAME } from '../users/names.ts';
import { insertFamilyByApplication, insertFamilyByPassword } from './begun-families.ts';
import { endFamily, rotateRefreshToken, type FamilyRow } from './refresh-token-store.ts';

/** The tokens of one sign-in or one refresh. */
export interface TokenSet {
  readonly accessToken: string;
  readonly apiToken: string;
  /** Opaque; only its hash is stored. */
  readonly refreshToken: string;
  readonly userId: string;
  /** The time for which the access token and the API token are valid from now, in seconds. */
  readonly lifetimeSeconds: number;
}

/** The input of issuing besides the database. */
export interface Issuer {
  readonly name: string;
  readonly ring: KeyRing;
  readonly lifetimeSeconds: number;
}

/** The time in which a token that is sent again means a lost response. */
export const LOST_RESPONSE_MS = 30 * 1000;

/**
 * Begins a family for a user whose password was just verified. The password hash is part of the condition, so that no
 * family begins if the password was changed or the account disabled in between. Throws `invalid_credential`,
 * `store_unavailable`.
 *
 * @param country that of the program, for the history of sign-ins
 */
export async function startTokenFamily(
  db: Database,
  issuer: Issuer,
  user: { readonly id: string; readonly passwordHash: string },
  country: string | null = null,
): Promise<TokenSet> {
  const { refreshToken, family: added } = newFamily(country);
  const family = await insertFamilyByPassword(db, added, user);
  if (!family) throw new AppError('invalid_credential', 'The account has just been changed. Sign in again.');
  return issue(issuer, family, refreshToken, added.startedAt);
}

/**
 * Begins a family for a program that presents the name of a user and an application password of theirs: with the
 * permissions of an API key, and in the workspaces that the password opens. One round trip, and no password is hashed.
 * Throws `invalid_credential`, `store_unavailable`.
 */
export async function startFamilyOfApplication(
  db: Database,
  issuer: Issuer,
  presented: { readonly name: string; readonly password: ApplicationPassword },
  country: string | null = null,
): Promise<TokenSet> {
  const name = normalizeBounded(presented.name, MAX_UNITS_OF_NAME);
  if (name === null) throw wrongCredentials();
  const { refreshToken, family: added } = newFamily(country);
  const family = await insertFamilyByApplication(db, added, { name, password: presented.password });
  if (!family) throw wrongCredentials();
  return issue(issuer, family, refreshToken, added.startedAt);
}

/**
 * Exchanges a refresh token for a new set of the same family (RFC 9700, section 4.14.2). A token that is sent again
 * within 30 s, while its successor is unused, means that the response was lost: the successor is replaced. Any other
 * repetition of a used or replaced token ends the family. Throws `invalid_credential`, `store_unavailable`.
 */
export async function refreshFamily(db: Database, issuer: Issuer, presented: string): Promise<TokenSet> {
  const now = Date.now();
  const refreshToken = nanoid(43);
  const family = await rotateRefreshToken(db, {
    presentedHash: hashSecret(presented),
    successorHash: hashSecret(refreshToken),
    now,
    lostResponseSince: now - LOST_RESPONSE_MS,
    application: null,
    endsAt: null,
  });
  if (!family) throw new AppError('invalid_credential', 'The refresh token is not valid, or no longer valid.');
  return issue(issuer, family, refreshToken, now);
}

/** Ends the family of a refresh token; an unknown token is no error. Throws `store_unavailable`. */
export async function revokeRefreshToken(db: Database, presented: string): Promise<void> {
  await endFamily(db, { refreshHash: hashSecret(presented), familyId: null, now: Date.now() });
}

/** Ends the family of a verified token. Throws `store_unavailable`. */
export async function revokeFamily(db: Database, claims: TokenClaims): Promise<void> {
  await endFamily(db, { refreshHash: null, familyId: claims.familyId, now: Date.now() });
}

function newFamily(country: string | null) {
  const now = Date.now();
  const refreshToken = nanoid(43);
  const times = { startedAt: now, endsAt: now + FAMILY_LIFETIME_SECONDS * 1000 };
  return {
    refreshToken,
    family: { id: crypto.randomUUID(), ...times, refreshHash: hashSecret(refreshToken), country },
  };
}

async function issue(issuer: Issuer, family: FamilyRow, refreshToken: string, nowMs: number): Promise<TokenSet> {
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  // A token never outlives its family, so that token_info agrees with the other endpoints.
  const expiresAtSeconds = Math.min(issuedAtSeconds + issuer.lifetimeSeconds, Math.floor(family.ends_at / 1000));
  const claims = { userId: family.user_id, familyId: family.id, issuedAtSeconds, expiresAtSeconds };
  const [accessToken, apiToken] = await Promise.all([
    signToken(issuer.ring, issuer.name, 'access', claims),
    signToken(issuer.ring, issuer.name, 'api', claims),
  ]);
  const lifetimeSeconds = expiresAtSeconds - issuedAtSeconds;
  return { accessToken, apiToken, refreshToken, userId: family.user_id, lifetimeSeconds };
}
