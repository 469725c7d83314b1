import { openLimiter, tooManyRequests } from '../limits.ts';
import { logProblem } from '../log.ts';
import { callerAddress } from './address.ts';
import type { Asked } from './env.ts';

/**
 * Limits how many large bodies one address sends a minute, whatever it shows for a credential. A limiter that fails lets
 * everyone pass. Throws `too_many_requests`.
 */
export async function limitLargeBodies(c: Asked): Promise<void> {
  if (!c.var.services.config.createLimiting) return;
  const allowed = await openLimiter(c.env.LARGE_BODY_LIMIT)(callerAddress(c)).catch((cause: unknown) => {
    logProblem('large_body_limiter_failed', cause);
    return true;
  });
  if (!allowed) throw tooManyRequests('Your address sends too many large bodies. Slow down, then try again.');
}

/**
 * What a large body needs before it is read on: it counts as one of its address, and its credential is judged. A stranger's
 * request then costs no more than the 64 KiB that any request may.
 *
 * @param judge throws where the credential may not do it
 */
export function admitLarge(c: Asked, judge: () => Promise<unknown>): () => Promise<void> {
  return async () => {
    await limitLargeBodies(c);
    await judge();
  };
}
