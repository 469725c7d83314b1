import type { Context } from 'hono';
import { beginSecondStep, finishSignIn } from '../../accounts/factors/second-step.ts';
import type { SignedInUser } from '../../accounts/sessions/sign-in.ts';
import { factorToolsOf } from '../../http/factor-tools.ts';
import { keepKnown, readCookie } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';

/** The second step of a sign-in, which a module of its own has, since most accounts have none. */

/** The text with which the form of the second step is sent. */
export const secondStepFor = (c: Context<PlatformEnv>, user: SignedInUser): string =>
  beginSecondStep(factorToolsOf(c).secrets, user);

/** Begins the session, and remembers the browser. Throws what `finishSignIn` throws. */
export async function finishHere(
  c: Context<PlatformEnv>,
  { step, code }: { readonly step: string; readonly code: string },
  timeZone: string | null,
): Promise<{ readonly userId: string; readonly value: string }> {
  const attempt = { step, code, known: readCookie(c, 'known') };
  const { known, ...session } = await finishSignIn(factorToolsOf(c), attempt, deviceOf(c), timeZone);
  keepKnown(c, known);
  return session;
}
