import { openLimiter, tooManyRequests } from '../bounds/rate-limiter.ts';
import { logProblem } from '../isolate/log.ts';
import { callerAddress } from '../network/address-block.ts';
import type { RequestContext } from './env.ts';

/**
 * Limits how many large bodies one address sends a minute, under all of its credentials. If the limiter fails, the
 * request passes. Throws `too_many_requests`.
 */
export async function limitLargeBodies(c: RequestContext): Promise<void> {
  if (!c.var.services.config.createLimiting) return;
  const allowed = await openLimiter(c.env.LARGE_BODY_LIMIT)(callerAddress(c.req.raw)).catch((cause: unknown) => {
    logProblem('large_body_limiter_failed', cause);
    return true;
  });
  if (!allowed) throw tooManyRequests('Your address sends too many large bodies. Slow down, then try again.');
}

/**
 * The check before the rest of a large body is read: counts the body for its address and verifies the credential.
 * Without a valid credential, no more than 64 KiB are read. Throws `too_many_requests`, and what `verify` throws.
 *
 * @param verify throws if the credential is invalid or lacks the permission
 */
export async function admitLarge(c: RequestContext, verify: () => Promise<unknown>): Promise<void> {
  await limitLargeBodies(c);
  await verify();
}
