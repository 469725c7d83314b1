import type { Context } from 'hono';
import { signInWithPasskey } from '../../accounts/passkeys/use-passkey.ts';
import { rememberBrowser } from '../../accounts/factors/known-browser.ts';
import { factorToolsOf } from '../../http/factor-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { keepKnown } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { challengesOf, partyOf } from './service.ts';

/**
 * Signs in by the field `passkey_response` of the form to sign in. Throws `invalid_passkey`, `too_many_requests`,
 * `store_unavailable`, and `not_found` where no passkey can be used.
 */
export async function signInByPasskey(
  c: Context<PlatformEnv>,
  { passkey_response: text = '', tz }: Readonly<Record<string, string>>,
) {
  await limitRate(c, 'passkey', null);
  const zone = tz ? zoneOfBrowser(tz) : null;
  const begun = await signInWithPasskey(c.var.db, challengesOf(c), partyOf(c), text, deviceOf(c), zone);
  const { userId, factorVersion } = begun;
  if (factorVersion !== null) keepKnown(c, rememberBrowser(factorToolsOf(c).secrets, { userId, factorVersion }));
  return begun;
}
