import type { Credential } from '../accounts/grants.ts';
import { openLimiter, tooManyRequests } from '../limits.ts';
import { logProblem } from '../log.ts';
import type { Asked } from './env.ts';

/**
 * Limits how often one credential has domains verified: each time this service asks a host that somebody else named. A
 * limiter that fails lets everyone pass. Throws `too_many_requests`.
 */
export async function limitVerifications(c: Asked, credential: Credential): Promise<void> {
  const key = credential.kind === 'api_key' ? credential.secretHash : credential.userId;
  const allowed = await openLimiter(c.env.VERIFY_LIMIT)(key).catch((cause: unknown) => {
    logProblem('verify_limiter_failed', cause);
    return true;
  });
  if (!allowed) throw tooManyRequests('Domains are verified too often by this credential. Wait a minute.');
}
