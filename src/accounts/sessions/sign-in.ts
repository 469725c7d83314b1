import { normalizeBounded } from '../../text/nfc.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { tooManyRequests, type Limiter } from '../../bounds/rate-limiter.ts';
import type { WorkQueue } from '../../isolate/work-queue.ts';
import { MAX_UNITS_OF_NAME } from '../users/names.ts';
import { DUMMY_HASH, NO_PASSWORD, verifyPassword } from '../users/password.ts';
import type { RecentSignIns } from './recent-sign-ins.ts';
import { wrongCredentials } from '../refusals.ts';
import { findUserByName } from '../store.ts';

/** A user whose password was just verified. */
export interface SignedInUser {
  readonly id: string;
  readonly passwordHash: string;
  /** True if a sign-in needs a second factor too. */
  readonly hasFactor: boolean;
  /** The provider that has confirmed the user in place of a password, or left out. */
  readonly provider?: string | null;
}

interface SignInLimits {
  /** Attempts for one user name from one address. */
  readonly pair: Limiter;
  /** Attempts from one address. */
  readonly address: Limiter;
}

/** The limits and queues of every endpoint that hashes a password. */
export interface SignInGuard {
  readonly limits: SignInLimits;
  readonly recent: RecentSignIns;
  readonly hashing: WorkQueue;
  /** The caller's IP address. */
  readonly address: string;
}

// No user name is longer. A longer one is a guess, and is only counted.
const MAX_NAME_IN_KEY = 128;

/**
 * Verifies a name and a password from an address. An unknown name, a wrong password, an account without a password and a
 * disabled one get the same answer and take the same time. Throws `invalid_credential`, `too_many_requests`, `busy`,
 * `store_unavailable`.
 *
 * @param alone true where no second factor can follow: an account that needs one is as an unknown one
 */
export async function signIn(
  db: Database,
  guard: SignInGuard,
  attempt: { readonly name: string; readonly password: string },
  { alone = false } = {},
): Promise<SignedInUser> {
  const { recent, hashing } = guard;
  const name = normalizeBounded(attempt.name, MAX_UNITS_OF_NAME) ?? tooLong(attempt.name);
  const found = await findUserByName(db, name);
  const user = found?.passwordHash === NO_PASSWORD || (alone && found?.hasFactor) ? null : found;
  const proof = recent.proofOf(name, attempt.password, user?.passwordHash ?? DUMMY_HASH);
  if (!recent.has(proof)) {
    const verified = await recent.verifying(proof, async () => {
      const allowed = await withinLimits(guard, name);
      // Checked a second time: another call with the same credentials may have been verified while this one waited.
      if (recent.has(proof)) return true;
      if (!allowed) return false;
      const check = () => {
        const matches = verifyPassword(attempt.password, user?.passwordHash ?? DUMMY_HASH);
        if (!matches || !user || user.disabledAt !== null) throw wrongCredentials();
        recent.add(proof);
        return true;
      };
      return hashing.take(check, () => recent.has(proof) || undefined);
    });
    // The limiter may refuse the last of those calls before it has allowed the first.
    if (!verified && !(await recent.hasSoon(proof))) {
      throw tooManyRequests('Too many sign-in attempts. Wait a minute, then try again.');
    }
  }
  if (!user || user.disabledAt !== null) throw wrongCredentials();
  return { id: user.id, passwordHash: user.passwordHash, hasFactor: user.hasFactor };
}

// Cut to a length that is still longer than any name.
const tooLong = (name: string) => name.slice(0, MAX_UNITS_OF_NAME + 1);

// Without its limiter sign-in would be open to guessing, so it stops.
async function withinLimits({ limits, address }: SignInGuard, name: string): Promise<boolean> {
  try {
    const [pair, byAddress] = await Promise.all([
      limits.pair(`${address} ${name.slice(0, MAX_NAME_IN_KEY)}`),
      limits.address(address),
    ]);
    return pair && byAddress;
  } catch (cause) {
    throw new AppError('store_unavailable', 'Sign-in is temporarily unavailable. Try again in a few seconds.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
}
