import type { Context } from 'hono';
import * as z from 'zod';
import { endSession, startSession } from '../../accounts/sessions/session.ts';
import { signIn } from '../../accounts/sessions/sign-in.ts';
import { AppError } from '../../errors.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { signInGuard } from '../../http/sign-in-guard.ts';
import { lazy } from '../../isolate/lazy.ts';
import { parseFields } from '../../input/validation.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { keepSession } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { newForm, submit, type Submission } from '../forms/form.ts';
import { deviceOf } from '../device.ts';
import { sessionOf } from '../guard.ts';
import { passkeys, secondStep } from './sign-in-later.ts';

const signInFields = lazy(() => z.strictObject({ name: z.string(), password: z.string(), tz: z.string().optional() }));
const stepFields = lazy(() => z.strictObject({ step: z.string(), code: z.string(), tz: z.string().optional() }));

type Typed = Readonly<Record<string, string>>;
type Refused = Extract<Submission<never>, { readonly ok: false }>;

/** The session that has begun. */
interface NewSession {
  readonly userId: string;
  /** The value of its cookie. */
  readonly value: string;
  /** True if it began by a passkey of another host, at which the service was before. */
  readonly isOfFormerHost?: boolean;
}

/**
 * Signs a user in, and sets the cookie. For a user with a second factor the form comes back with `step`, and is sent again
 * with `code`. Throws what `submit` throws.
 */
export async function signInBy(c: Context<PlatformEnv>, typed: Typed): Promise<Submission<NewSession>> {
  const [begin, refused] = wayOf(typed);
  const sent = await submit(c, typed, () => begin(c, typed));
  if (!sent.ok) return refused(sent, typed);
  if ('step' in sent.value) {
    const { step } = sent.value;
    return { ok: false, form: newForm({ step, tz: typed['tz'] ?? '' }), status: 200 };
  }
  // An earlier session of this browser is ended, so that it does not stay signed in.
  const former = await sessionOf(c);
  if (former) await endSession(c.var.db, former);
  keepSession(c, sent.value.value);
  return { ok: true, value: sent.value };
}

type Begun = NewSession | { readonly step: string };
type Way = readonly [
  begin: (c: Context<PlatformEnv>, typed: Typed) => Promise<Begun>,
  refused: (sent: Refused, typed: Typed) => Refused,
];

/** The way in which a form signs in, and its answer if that is refused. */
function wayOf({ by, step }: Typed): Way {
  if (by === 'passkey')
    return [signInByPasskey, (sent) => ({ ...sent, status: sent.status === 400 ? 401 : sent.status })];
  if (step !== undefined) return [finishSignIn, askAgain];
  return [beginSignIn, (sent, typed) => ({ ...sent, status: statusOf(sent, 'password', typed) })];
}

const signInByPasskey: Way[0] = async (c, typed) => passkeys.use((module) => module.signInByPasskey(c, typed));

async function beginSignIn(c: Context<PlatformEnv>, typed: Typed): Promise<Begun> {
  const { by: _, passkey_response: __, ...fields } = typed;
  const { name, password, tz } = parseFields(signInFields(), fields);
  const user = await signIn(c.var.db, signInGuard(c), { name, password }).catch(throwBesidePassword);
  await limitRate(c, 'write', { userId: user.id });
  if (user.hasFactor) return { step: await secondStep.use(({ secondStepFor }) => secondStepFor(c, user)) };
  const zone = tz ? zoneOfBrowser(tz) : null;
  return { userId: user.id, value: await startSession(c.var.db, user, deviceOf(c), zone) };
}

async function finishSignIn(c: Context<PlatformEnv>, typed: Typed): Promise<NewSession> {
  const { by: _, passkey_response: __, ...sent } = typed;
  const { tz, ...fields } = parseFields(stepFields(), sent);
  return secondStep.use(({ finishHere }) => finishHere(c, fields, tz ? zoneOfBrowser(tz) : null));
}

/** The form of the second step again, without the code; or that of the first one, if it is too late for the second. */
function askAgain(sent: Refused, typed: Typed): Refused {
  const { step = '', tz = '' } = typed;
  const isOver = sent.status === 400 && sent.form.complaint !== null;
  const values = isOver ? { tz } : { step, tz };
  return { ...sent, form: { ...sent.form, values }, status: isOver ? 401 : statusOf(sent, 'code', typed) };
}

// A field that is empty is no attempt.
const statusOf = ({ form, status }: Refused, secret: string, typed: Typed) =>
  secret in form.faults && typed[secret] ? 401 : status;

// The sign-in page shows this failure itself, and cannot say which of the two is wrong.
function throwBesidePassword(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_credential') throw error;
  const sentence = 'The user name or the password is wrong.';
  throw new AppError('invalid_password', sentence, { faults: [{ field: 'password', sentence }] });
}

/** Ends the session of a browser that signs out. */
export { endSession };
