import type { Database } from '../../database/database.ts';
import { expiredSession } from '../refusals.ts';
import type { Device } from '../sessions/device.ts';
import { newSession, type Session } from '../sessions/session.ts';
import { confirmSession } from '../sessions/confirmation-store.ts';
import { insertSession, setFirstTimeZone } from '../sessions/session-store.ts';
import type { ChallengeFor, PasskeyChallenges } from './challenges.ts';
import * as store from './passkey-store.ts';
import { servesPasskeyOf, type RelyingParty } from './relying-party.ts';
import { invalidPasskey, readAssertion, verifyAssertion, type Assertion } from './verify.ts';

/** Signing in and confirming who one is by a passkey. It verifies its user itself, so that no second factor is needed. */

/** The options of `navigator.credentials.get`, in JSON (`PublicKeyCredential.parseRequestOptionsFromJSON`). */
interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
  readonly userVerification: 'required';
  /** All passkeys of the host, if absent. */
  readonly allowCredentials?: readonly { readonly type: 'public-key'; readonly id: string }[];
}

const requestOptions = (rpId: string, challenge: string): RequestOptions => ({
  rpId,
  challenge,
  userVerification: 'required',
});

/** The options for a sign-in without a name. */
export function signInOptions(challenges: PasskeyChallenges, rp: RelyingParty): RequestOptions {
  return requestOptions(rp.id, challenges.issue(signInAt(rp)));
}

/** `signInOptions` for the passkeys of hosts at which the service was before. Throws `store_unavailable`. */
export async function formerSignInOptions(
  db: Database,
  challenges: PasskeyChallenges,
  rp: RelyingParty,
): Promise<readonly RequestOptions[]> {
  const [rows] = await db.batch<[store.HostRow]>([store.selectHosts()]);
  const former = rows.filter(({ host }) => host !== rp.id && servesPasskeyOf(rp, host));
  return former.map(({ host }) => requestOptions(host, challenges.issue(signInAt(rp))));
}

const signInAt = (rp: RelyingParty): ChallengeFor => ({ use: 'sign_in', host: rp.id, sessionId: '' });

/** A session that has begun by a passkey. */
interface BegunSession {
  readonly userId: string;
  /** The value of its cookie. */
  readonly value: string;
  /** True if the passkey is one of another host, at which the service was before: the user needs a new one. */
  readonly isOfFormerHost: boolean;
  /** The number for which the browser is known from now on, or null for a user without a second factor. */
  readonly factorVersion: number | null;
}

/**
 * Begins a session by a passkey, without a name or a password. Throws `invalid_passkey`, `store_unavailable`.
 *
 * @param text what the browser has sent, in JSON
 */
export async function signInWithPasskey(
  db: Database,
  challenges: PasskeyChallenges,
  rp: RelyingParty,
  text: string,
  device: Device,
  timeZone: string | null = null,
): Promise<BegunSession> {
  const sent = readAssertion(text);
  const passkey = await findPasskey(db, rp, sent);
  // A passkey that is used without a name says itself whose it is.
  if (sent.response.userHandle !== Buffer.from(passkey.userId).toString('base64url')) throw invalidPasskey();
  const { challenge, counter } = await verify(sent, passkey, rp, challenges, signInAt(rp));
  const { value, session } = newSession({ id: passkey.userId, passwordHash: passkey.passwordHash }, device, {
    beganBy: 'passkey',
  });
  const [, , begun] = await db.batch<[never, never, unknown, ...never[]]>([
    store.spendChallenge(challenge, session.familyId),
    store.usePasskey({ ...passkey, counter }, challenge, session.familyId, session.startedAt),
    ...insertSession(session),
    ...(timeZone === null ? [] : [setFirstTimeZone(session, timeZone)]),
  ]);
  if (begun.length === 0) throw invalidPasskey();
  return {
    userId: passkey.userId,
    value,
    isOfFormerHost: passkey.rpId !== rp.id,
    factorVersion: passkey.factorVersion,
  };
}

/**
 * The options to confirm who one is: with a passkey of the user, at this host; null if there is none. Throws
 * `invalid_credential`, `store_unavailable`.
 */
export async function confirmOptions(
  db: Database,
  challenges: PasskeyChallenges,
  rp: RelyingParty,
  { credential }: Session,
): Promise<RequestOptions | null> {
  const [rows] = await db.batch<[store.PasskeyRow]>([store.selectPasskeys(credential, Date.now())]);
  const own = rows.filter((row) => row.rp_id === rp.id);
  if (own.length === 0) return null;
  const challenge = challenges.issue(confirmAt(rp, credential.familyId));
  return {
    ...requestOptions(rp.id, challenge),
    allowCredentials: own.map(({ id }) => ({ type: 'public-key' as const, id })),
  };
}

const confirmAt = (rp: RelyingParty, sessionId: string): ChallengeFor => ({ use: 'confirm', host: rp.id, sessionId });

/**
 * Confirms who the user of a session is, by one of their passkeys: a fresh proof of the session. Throws `invalid_passkey`,
 * `invalid_credential`, `store_unavailable`.
 *
 * @param text what the browser has sent, in JSON
 */
export async function confirmWithPasskey(
  db: Database,
  challenges: PasskeyChallenges,
  rp: RelyingParty,
  { credential, userId }: Session,
  text: string,
): Promise<void> {
  const sent = readAssertion(text);
  const passkey = await findPasskey(db, rp, sent);
  if (passkey.userId !== userId) throw invalidPasskey();
  const { challenge, counter } = await verify(sent, passkey, rp, challenges, confirmAt(rp, credential.familyId));
  const [now, spentBy] = [Date.now(), crypto.randomUUID()];
  const [, used, confirmed] = await db.batch<[never, unknown, unknown]>([
    store.spendChallenge(challenge, spentBy),
    store.usePasskey({ ...passkey, counter }, challenge, spentBy, now),
    confirmSession(credential, now, { spentFor: spentBy }),
  ]);
  if (used.length === 0) throw invalidPasskey();
  if (confirmed.length === 0) throw expiredSession();
}

interface FoundPasskey {
  readonly id: string;
  readonly userId: string;
  readonly passwordHash: string;
  readonly factorVersion: number | null;
  readonly publicKey: string;
  readonly counter: number;
  readonly rpId: string;
}

async function findPasskey(db: Database, rp: RelyingParty, { id }: Assertion): Promise<FoundPasskey> {
  const row = await db.first<store.KnownPasskeyRow>(store.selectPasskey(id));
  if (row === null || !servesPasskeyOf(rp, row.rp_id)) throw invalidPasskey();
  return {
    id: row.id,
    userId: row.user_id,
    passwordHash: row.password_hash,
    factorVersion: row.factor_version,
    publicKey: row.public_key,
    counter: row.counter,
    rpId: row.rp_id,
  };
}

const verify = (
  sent: Assertion,
  passkey: FoundPasskey,
  { origin }: RelyingParty,
  challenges: PasskeyChallenges,
  subject: ChallengeFor,
) =>
  verifyAssertion(sent, passkey, {
    origin,
    rpId: passkey.rpId,
    readChallenge: (encoded) => challenges.read(encoded, subject),
  });
