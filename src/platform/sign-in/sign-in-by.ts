import type { Context } from 'hono';
import * as z from 'zod';
import { endSession, startSession } from '../../accounts/sessions/session.ts';
import { signIn } from '../../accounts/sessions/sign-in.ts';
import { AppError } from '../../errors.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { Later } from '../../isolate/later.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields } from '../../input/validation.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { submit, type Submission } from '../forms/form.ts';
import { deviceOf } from '../device.ts';
import { sessionOf } from '../guard.ts';

const signInFields = lazy(() => z.strictObject({ name: z.string(), password: z.string(), tz: z.string().optional() }));

/** The session that has begun. */
interface NewSession {
  readonly userId: string;
  /** The value of its cookie. */
  readonly value: string;
  /** True if it began by a passkey of another host, at which the service was before. */
  readonly isOfFormerHost?: boolean;
}

const passkeys = new Later(() => import('../passkeys/passkey-module.ts'));

/** Signs a user in, and sets the cookie. Throws what `submit` throws. */
export async function signInBy(
  c: Context<PlatformEnv>,
  typed: Readonly<Record<string, string>>,
): Promise<Submission<NewSession>> {
  const sent = await submit(c, typed, async () => {
    const { by, passkey_response: _, ...fields } = typed;
    if (by === 'passkey') return passkeys.use(({ signInByPasskey }) => signInByPasskey(c, typed));
    const { name, password, tz } = parseFields(signInFields(), fields);
    const user = await signIn(c.var.db, signInGuard(c), { name, password }).catch(throwBesidePassword);
    await limitRate(c, 'write', { userId: user.id });
    const zone = tz ? zoneOfBrowser(tz) : null;
    return { userId: user.id, value: await startSession(c.var.db, user, deviceOf(c), zone) };
  });
  if (!sent.ok) {
    const isWrong =
      typed['by'] === 'passkey' ? sent.status === 400 : 'password' in sent.form.faults && typed['password'];
    return { ...sent, status: isWrong ? 401 : sent.status };
  }
  // An earlier session of this browser is ended, so that it does not stay signed in.
  const former = await sessionOf(c);
  if (former) await endSession(c.var.db, former);
  keepSession(c, sent.value.value);
  return sent;
}

// The sign-in page shows this failure itself, and cannot say which of the two is wrong.
function throwBesidePassword(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_credential') throw error;
  const sentence = 'The user name or the password is wrong.';
  throw new AppError('invalid_password', sentence, { faults: [{ field: 'password', sentence }] });
}

/** Ends the session of a browser that signs out. */
export { endSession };
