import type { SignInLimits } from '../accounts/sign-in.ts';
import { openLimiter } from '../limits.ts';

/** The limits of tries to sign in, one for all ways of signing in. */
export function signInLimits(env: Env): SignInLimits {
  return { pair: openLimiter(env.SIGN_IN_PAIR_LIMIT), address: openLimiter(env.SIGN_IN_ADDRESS_LIMIT) };
}
