import { AppError } from '../../errors.ts';
import { seal, unseal, UnsealError } from '../../secrets/sealing.ts';
import { expiredSession, stepUpRequired } from '../refusals.ts';
import { confirmSession } from '../sessions/confirmation-store.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Device } from '../sessions/device.ts';
import type { Session } from '../sessions/session.ts';
import { newSeed, seedUrl, stepOf } from './app-codes.ts';
import { checkCode, readCode, seedOwner, spentCode, type FactorTools } from './codes.ts';
import { spendCode } from './code-store.ts';
import { insertFactorNotice } from './factor-notices.ts';
import * as store from './factor-store.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/** The verbs by which users manage their own second factors, in a session that was confirmed lately. */

/** The second factors of a user. */
export interface Factors {
  /** When the authenticator app was added, in milliseconds since the epoch; null without one. */
  readonly appSince: number | null;
  /** True if a passkey is a second factor beside the password. */
  readonly passkeysAreFactor: boolean;
  /** When the operator removed the factors, if none was set up since. */
  readonly resetAt: number | null;
  /** When a program last got tokens with the user's own password, which a second factor ends. */
  readonly basicUsedAt: number | null;
  /** The number of recovery codes that are left, and that there were. */
  readonly recoveryLeft: number;
  readonly recoveryCodes: number;
  /** The wrong codes of the last day. */
  readonly wrongCodes: number;
  /** The workspaces that demand a second factor. */
  readonly demandedBy: readonly { readonly id: string; readonly name: string }[];
}

/** Throws `invalid_credential`, `store_unavailable`. */
export async function getFactors({ db }: FactorTools, { credential }: Session): Promise<Factors> {
  const [[row]] = await db.batch<[store.FactorsRow]>([store.selectFactors(credential, Date.now())]);
  if (!row) throw expiredSession();
  return {
    appSince: row.app_since,
    passkeysAreFactor: row.passkeys_are_factor === 1,
    resetAt: row.reset_at,
    basicUsedAt: row.basic_used_at,
    recoveryLeft: row.recovery_left,
    recoveryCodes: row.recovery_codes,
    wrongCodes: row.wrong_codes,
    demandedBy: JSON.parse(row.demanded_by) as Factors['demandedBy'],
  };
}

/** An authenticator app that is being set up. */
export interface Offer {
  /** The seed, for apps that take it typed. */
  readonly seed: string;
  /** The URL of the QR code. */
  readonly url: string;
  /** The sealed seed, which the form sends back, so that nothing is stored before a code shows that the app has it. */
  readonly sealed: string;
}

/**
 * Offers a new seed, or the one of a form that is shown again. Throws `webhooks_off` without keys to seal it.
 *
 * @param issuer the name of the service in the app
 */
export async function offerApp(
  { keys }: FactorTools,
  { userId, userName }: Session,
  issuer: string,
  sealed?: string,
): Promise<Offer> {
  if (keys.length === 0) {
    throw new AppError(
      'webhooks_off',
      'Authenticator apps need the setting WEBHOOK_KEYS, whose keys encrypt what is stored. Ask the operator.',
    );
  }
  const known = sealed === undefined ? null : await readOffer(keys, userId, sealed);
  const seed = known ?? newSeed();
  const kept = known === null || sealed === undefined ? await seal(keys, offerOwner(userId), seed) : sealed;
  return { seed, url: seedUrl(seed, issuer, userName), sealed: kept };
}

// Not that of stored seeds, so that neither can be sent as the other.
const offerOwner = (userId: string): string => `totp offer ${userId}`;

async function readOffer(keys: FactorTools['keys'], userId: string, sealed: string): Promise<string | null> {
  try {
    return await unseal(keys, offerOwner(userId), sealed);
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

/**
 * Adds an app that shows the right code, and ten recovery codes in place of any earlier ones, which are returned only this
 * once. All other browsers are signed out. Throws `invalid_token` beside the field `code`, `step_up_required`,
 * `store_unavailable`.
 */
export async function addApp(
  { db, keys }: FactorTools,
  session: Session,
  { sealed, code }: { readonly sealed: string; readonly code: string },
): Promise<readonly string[]> {
  const { credential, userId } = session;
  const now = Date.now();
  const seed = await readOffer(keys, userId, sealed);
  const step = seed === null ? null : stepOf(seed, readCode(code), now);
  if (seed === null || step === null) {
    const sentence =
      'This is not the code that your app shows now. Check the time of your phone, and enter the newest one.';
    throw new AppError('invalid_token', sentence, { faults: [{ field: 'code', sentence }] });
  }
  const { codes, hashes } = newRecoveryCodes();
  const app = { seed: await seal(keys, seedOwner(userId), seed), step, hashes };
  const [added] = await db.batch<[unknown, ...never[]]>([
    ...store.insertApp(credential, now, app),
    insertFactorNotice(userId, now, 'EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?4 AND created_at = ?2)'),
  ]);
  if (added.length === 0) throw stepUpRequired();
  return codes;
}

/**
 * Removes the app. Who is left with passkeys as a second factor, and without recovery codes, gets ten, which are returned
 * only this once. Throws `step_up_required`, `store_unavailable`.
 */
export async function removeApp({ db }: FactorTools, session: Session): Promise<readonly string[]> {
  requireConfirmation(session);
  const now = Date.now();
  const { codes, hashes } = newRecoveryCodes();
  const [inserted] = await db.batch<[unknown, ...never[]]>([
    store.insertMissingCodes(session.credential, now, hashes),
    insertFactorNotice(session.userId, now, 'EXISTS (SELECT 1 FROM totp_seeds WHERE user_id = ?4)'),
    ...store.deleteApp(session.credential, now),
  ]);
  return inserted.length === 0 ? [] : codes;
}

const HAS_CODE = 'EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ?4 AND hash = ?5)';

/** Replaces the recovery codes; the new ones are returned only this once. Throws `step_up_required`, `store_unavailable`. */
export async function renewRecoveryCodes({ db }: FactorTools, { credential }: Session): Promise<readonly string[]> {
  const now = Date.now();
  const { codes, hashes } = newRecoveryCodes();
  const [, inserted] = await db.batch<[never, unknown, unknown]>([
    ...store.replaceRecoveryCodes(credential, now, hashes),
    insertFactorNotice(credential.userId, now, HAS_CODE, hashes.slice(0, 1)),
  ]);
  if (inserted.length === 0) throw stepUpRequired();
  return codes;
}

/**
 * Confirms who the person of a session is by a code. Throws as `checkCode`, `invalid_credential`, and `insufficient_scope`
 * if the session opens one workspace alone: its owner would use up the tries of the account.
 */
export async function confirmByCode(
  tools: FactorTools,
  session: Session,
  typed: { readonly code: string; readonly device: Device },
): Promise<void> {
  const { credential, userId, limitedTo } = session;
  if (limitedTo !== null) {
    throw new AppError('insufficient_scope', 'This session opens one workspace alone, and is not confirmed by a code.');
  }
  // Who has taken the cookie of a session must not get more tries than a stranger.
  const { code, isApp, endTry } = await checkCode(tools, userId, typed, () => false);
  const spentFor = crypto.randomUUID();
  const now = Date.now();
  const [, confirmed] = await tools.db.batch<[never, unknown, ...never[]]>([
    spendCode(userId, code, spentFor, now),
    confirmSession(credential, now, { spentFor }),
    ...endTry(spentFor),
  ]);
  if (confirmed.length === 0) throw spentCode(isApp);
}
