import type { Ending, Target } from '../link.ts';

/** Why a visitor is not redirected now, or null. Expiry counts first: of a link that has expired, no block is shown. */
export function endingNow({ expiresAt, ending }: Target): Ending | 'expired' | null {
  return expiresAt !== null && expiresAt <= Date.now() ? 'expired' : ending;
}
