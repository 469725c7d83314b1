import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { keyName } from '../users/names.ts';
import { expiredSession, stepUpRequired } from '../refusals.ts';
import { insertFactorNotice } from '../factors/factor-notices.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import type { PasskeyChallenges } from './challenges.ts';
import * as factorStore from './passkey-factor-store.ts';
import * as store from './passkey-store.ts';
import type { RelyingParty } from './relying-party.ts';
import { ALGORITHMS, invalidPasskey, readRegistration, verifyRegistration } from './verify.ts';

/** The passkeys of a user, who is signed in. To add or to remove one needs a session that was confirmed lately. */

/** A passkey in its user's list. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** The host for which it was created. */
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The passkeys of a user, and what they are for. */
export interface OwnPasskeys {
  /** The oldest first. */
  readonly passkeys: readonly Passkey[];
  /** True if the password alone does not sign the user in. */
  readonly areFactor: boolean;
  /** The number of recovery codes that are left. */
  readonly recoveryCodes: number;
  /** When a program last got tokens with the user's own password, which a second factor ends. */
  readonly basicUsedAt: number | null;
  /** True if the session may add a passkey. */
  readonly mayEnrol: boolean;
}

/** Throws `invalid_credential`, `store_unavailable`. */
export async function listPasskeys(db: Database, { credential }: Session): Promise<OwnPasskeys> {
  const now = Date.now();
  const [rows, [factor], [enrol]] = await db.batch<[store.PasskeyRow, factorStore.FactorRow, { readonly may: number }]>(
    [
      store.selectPasskeys(credential, now),
      factorStore.selectFactor(credential, now),
      store.selectMayEnrol(credential, now),
    ],
  );
  if (factor === undefined) throw expiredSession();
  return {
    passkeys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      host: row.rp_id,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
    areFactor: factor.passkeys_are_factor === 1,
    recoveryCodes: factor.recovery_codes,
    basicUsedAt: factor.basic_used_at,
    mayEnrol: enrol?.may === 1,
  };
}

/** Throws `not_found`, and what `listPasskeys` throws. */
export async function getPasskey(
  db: Database,
  session: Session,
  id: string,
): Promise<Passkey & { readonly isLast: boolean; readonly areFactor: boolean }> {
  const { passkeys, areFactor } = await listPasskeys(db, session);
  const passkey = passkeys.find((each) => each.id === id) ?? notFound();
  return { ...passkey, isLast: passkeys.length === 1, areFactor };
}

/**
 * The options of `navigator.credentials.create`, in JSON (`PublicKeyCredential.parseCreationOptionsFromJSON`). Throws
 * `step_up_required`, since a passkey that is then refused would stay in its authenticator.
 */
export function enrolmentOptions(
  challenges: PasskeyChallenges,
  rp: RelyingParty,
  session: Session,
  { passkeys, mayEnrol }: Pick<OwnPasskeys, 'passkeys' | 'mayEnrol'>,
): object {
  if (!mayEnrol) throw stepUpRequired();
  const { userId, userName, credential } = session;
  return {
    rp: { id: rp.id, name: rp.id },
    // The id is what a passkey names its user by, when it is used without a name.
    user: { id: Buffer.from(userId).toString('base64url'), name: userName, displayName: userName },
    challenge: challenges.issue({ use: 'enrol', host: rp.id, sessionId: credential.familyId }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.filter(({ host }) => host === rp.id).map(({ id }) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

export const newPasskeyFields = lazy(() =>
  z.strictObject({ name: keyName(), passkey_response: z.string().default('') }),
);
export const passkeyNameFields = lazy(() => z.strictObject({ name: keyName() }));

/**
 * Adds a passkey that a browser has created with `enrolmentOptions`. Throws `invalid_passkey`, `passkey_taken`,
 * `too_many_passkeys`, `step_up_required`, `invalid_credential`, `store_unavailable`.
 */
export async function enrolPasskey(
  db: Database,
  challenges: PasskeyChallenges,
  rp: RelyingParty,
  { credential }: Session,
  { name, passkey_response: text }: z.output<ReturnType<typeof newPasskeyFields>>,
): Promise<void> {
  const { familyId } = credential;
  const { challenge, ...passkey } = await verifyRegistration(readRegistration(text), {
    origin: rp.origin,
    rpId: rp.id,
    readChallenge: (encoded) => challenges.read(encoded, { use: 'enrol', host: rp.id, sessionId: familyId }),
  });
  const now = Date.now();
  const [inserted, [refused]] = await db.batch<[unknown, store.RefusedRow, never, unknown]>([
    store.insertPasskey(credential, now, { ...passkey, name, rpId: rp.id }, challenge),
    store.selectRefused(credential, now, passkey.id, challenge),
    store.spendForPasskey(credential.userId, now, passkey.id, challenge),
    insertFactorNotice(credential.userId, now, `${HAS_PASSKEY} AND created_at = ?2)`, [passkey.id]),
  ]);
  if (inserted.length > 0) return;
  if (refused?.is_signed_in !== 1) throw expiredSession();
  if (refused.is_confirmed !== 1) throw stepUpRequired();
  if (refused.is_spent === 1) throw invalidPasskey();
  if (refused.is_known === 1) throw new AppError('passkey_taken', 'This passkey has been added before.');
  throw new AppError('too_many_passkeys', `There can be ${store.MAX_PASSKEYS} passkeys. Remove one first.`);
}

const HAS_PASSKEY = 'EXISTS (SELECT 1 FROM passkeys WHERE id = ?5 AND user_id = ?4';

/** Throws `not_found`, `store_unavailable`. */
export async function renamePasskey(db: Database, { credential }: Session, id: string, name: string): Promise<void> {
  const [changed] = await db.batch<[unknown]>([store.updateName(credential, Date.now(), id, name)]);
  if (changed.length === 0) notFound();
}

/**
 * Removes a passkey. It is no error if there is none of this id. Without the last one, passkeys are no longer a second
 * factor. Throws `step_up_required`, `invalid_credential`, `store_unavailable`.
 */
export async function removePasskey(db: Database, session: Session, id: string): Promise<void> {
  requireConfirmation(session);
  const { credential } = session;
  const now = Date.now();
  const [[factor]] = await db.batch<[factorStore.FactorRow, ...unknown[]]>([
    factorStore.selectFactor(credential, now),
    insertFactorNotice(credential.userId, now, `${HAS_PASSKEY})`, [id]),
    ...store.deletePasskey(credential, now, id),
  ]);
  if (factor === undefined) throw expiredSession();
  if (factor.is_confirmed !== 1) throw stepUpRequired();
}

function notFound(): never {
  throw new AppError('not_found', 'This passkey does not exist.');
}
