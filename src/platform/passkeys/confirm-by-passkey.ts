import type { Context } from 'hono';
import { confirmWithPasskey } from '../../accounts/passkeys/use-passkey.ts';
import { limitRate } from '../../http/rate-limits.ts';
import type { PlatformEnv } from '../env.ts';
import { challengesOf, partyOf } from './service.ts';

/**
 * Confirms who the user of the session is by the field `passkey_response` of a form. Throws `invalid_passkey`,
 * `too_many_requests`, `store_unavailable`, and `not_found` where no passkey can be used.
 */
export async function confirmByPasskey(c: Context<PlatformEnv>, text: string): Promise<void> {
  await limitRate(c, 'passkey', null);
  await confirmWithPasskey(c.var.db, challengesOf(c), partyOf(c), c.var.session, text);
}
