import { AppError } from '../../errors.ts';
import { hashSecret } from '../../secrets/random-secrets.ts';
import { SignedTexts } from '../../secrets/signed-texts.ts';
import type { Device } from '../sessions/device.ts';
import { newSession } from '../sessions/session.ts';
import { insertSession, setFirstTimeZone } from '../sessions/session-store.ts';
import type { SignedInUser } from '../sessions/sign-in.ts';
import { checkCode, spentCode, type FactorTools } from './codes.ts';
import { spendCode } from './code-store.ts';
import { isKnownBrowser, rememberBrowser } from './known-browser.ts';

/** The second step of a sign-in: the first one gives a text that the browser sends with a code. */

const STEP_MS = 10 * 60_000;

// The hash shows that the password has not been changed since the first step.
const textOf = ({ id, passwordHash, provider = null }: SignedInUser) =>
  JSON.stringify([id, hashSecret(passwordHash), provider]);

const stepsOf = (secrets: readonly string[]) => new SignedTexts(secrets, 'terse second step');

/** The first step of a user whose password was just verified, for ten minutes. */
export const beginSecondStep = (secrets: readonly string[], user: SignedInUser): string =>
  stepsOf(secrets).of(textOf(user), Date.now() + STEP_MS);

/** The session that has begun, and what remembers the browser. */
interface Finished {
  readonly userId: string;
  /** The value of the session's cookie. */
  readonly value: string;
  /** The value of the cookie by which the browser is known for a year. */
  readonly known: string;
}

/**
 * Begins a session by a code. Throws `invalid_token` beside the field `code`, or without a field if the first step is too
 * old or the account was changed; `too_many_requests`, `store_unavailable`.
 *
 * @param attempt.step the text of the first step
 * @param attempt.known the cookie by which the browser may be known
 */
export async function finishSignIn(
  tools: FactorTools,
  attempt: { readonly step: string; readonly code: string; readonly known: string | undefined },
  device: Device,
  timeZone: string | null,
): Promise<Finished> {
  const { db, secrets } = tools;
  const first = stepsOf(secrets).read(attempt.step, Date.now());
  if (first === null) throw tooLate();
  // One that began in an earlier version names no provider.
  const [userId, passwordHashed, provider = null] = JSON.parse(first) as [string, string, (string | null)?];
  const checked = await checkCode(tools, userId, { code: attempt.code, device }, (user) =>
    isKnownBrowser(secrets, attempt.known, { userId, factorVersion: user.factor_version }),
  );
  const { user, code, isApp, endTry } = checked;
  if (hashSecret(user.password_hash) !== passwordHashed) throw tooLate();
  const { value, session } = newSession({ id: userId, passwordHash: user.password_hash }, device, {
    beganBy: isApp ? 'app' : 'recovery_code',
    provider,
  });
  const [, inserted] = await db.batch<[never, unknown, ...never[]]>([
    spendCode(userId, code, session.familyId, session.startedAt),
    ...insertSession(session),
    ...(timeZone === null ? [] : [setFirstTimeZone(session, timeZone)]),
    ...endTry(session.familyId),
  ]);
  if (inserted.length === 0) throw spentCode(isApp);
  return { userId, value, known: rememberBrowser(secrets, { userId, factorVersion: user.factor_version }) };
}

function tooLate(): AppError {
  return new AppError('invalid_token', 'The sign-in took too long, or the account has just been changed. Begin again.');
}
