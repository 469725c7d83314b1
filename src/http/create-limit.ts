import type { Credential } from '../accounts/grants.ts';
import { openLimiter, tooManyRequests } from '../limits.ts';
import { logProblem } from '../log.ts';
import { callerAddress } from './address.ts';
import type { Asked } from './env.ts';

/**
 * Limits how many links one credential makes a minute, and how many one address does with all of its credentials. A
 * limiter that fails lets everyone pass: it guards a store, not a secret. Throws `too_many_requests`.
 */
export async function limitCreates(c: Asked, credential: Credential, links = 1): Promise<void> {
  if (!c.var.services.config.createLimiting) return;
  // Keyed by what only the owner holds: whoever merely knows a key's id must not use up its limit.
  const key = credential.kind === 'api_key' ? credential.secretHash : credential.userId;
  const [isCredentialOk, isAddressOk] = await Promise.all([
    allows(c.env.CREATE_LIMIT, key, links),
    allows(c.env.CREATE_ADDRESS_LIMIT, callerAddress(c), links),
  ]);
  if (!isCredentialOk) throw tooManyRequests('This credential makes links too quickly. Slow down, then try again.');
  if (!isAddressOk) throw tooManyRequests('Your address makes links too quickly. Slow down, then try again.');
}

async function allows(binding: RateLimit, key: string, links: number): Promise<boolean> {
  const limiter = openLimiter(binding);
  try {
    const allowed = await Promise.all(Array.from({ length: links }, () => limiter(key)));
    return !allowed.includes(false);
  } catch (cause) {
    logProblem('create_limiter_failed', cause);
    return true;
  }
}
