import type { Context } from 'hono';
import { PasskeyChallenges } from '../../accounts/passkeys/challenges.ts';
import { relyingPartyOf, type RelyingParty } from '../../accounts/passkeys/relying-party.ts';
import { AppError } from '../../errors.ts';
import type { PlatformEnv } from '../env.ts';

/** The challenges of the service. */
export const challengesOf = (c: Context<PlatformEnv>): PasskeyChallenges =>
  new PasskeyChallenges(c.var.services.config.tokenKeys.map(({ d }) => d));

/** The service as passkeys know it. Throws `not_found` where none can be used. */
export function partyOf(c: Context<PlatformEnv>): RelyingParty {
  const rp = relyingPartyOf(c.var.site);
  if (rp === null) throw new AppError('not_found', 'There is no such page.');
  return rp;
}
