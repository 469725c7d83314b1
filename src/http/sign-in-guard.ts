import type { SignInGuard } from '../accounts/sessions/sign-in.ts';
import { openLimiter } from '../bounds/rate-limiter.ts';
import { callerAddress } from '../network/address-block.ts';
import type { RequestContext } from './env.ts';

/** The limits and queues of every endpoint that hashes a password. */
export function signInGuard(c: RequestContext): SignInGuard {
  const { recentSignIns: recent, hashing } = c.var.services;
  return {
    recent,
    hashing,
    // A sign-in that was verified a short time ago needs neither.
    get limits() {
      return { pair: openLimiter(c.env.SIGN_IN_PAIR_LIMIT), address: openLimiter(c.env.SIGN_IN_ADDRESS_LIMIT) };
    },
    get address() {
      return callerAddress(c.req.raw);
    },
  };
}
