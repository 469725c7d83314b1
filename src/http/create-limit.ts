import type { Credential } from '../accounts/grants.ts';
import { openLimiter, tooManyRequests } from '../limits.ts';
import { logProblem } from '../log.ts';
import type { Asked } from './env.ts';

/**
 * Limits how many links one credential makes a minute. A limiter that fails lets everyone pass: it guards a store,
 * not a secret. Throws `too_many_requests`.
 */
export async function limitCreates(c: Asked, credential: Credential, links = 1): Promise<void> {
  if (!c.var.services.config.createLimiting) return;
  // Keyed by what only the owner holds: whoever merely knows a key's id must not use up its limit.
  const key = credential.kind === 'api_key' ? credential.secretHash : credential.userId;
  const limiter = openLimiter(c.env.CREATE_LIMIT);
  const allowed = await Promise.all(Array.from({ length: links }, () => limiter(key))).catch((cause: unknown) => {
    logProblem('create_limiter_failed', cause);
    return [true];
  });
  if (allowed.includes(false))
    throw tooManyRequests('This credential makes links too quickly. Slow down, then try again.');
}
