import { verifyPassword } from '../../accounts/users/password.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { tooManyRequests, type Limiter } from '../../bounds/rate-limiter.ts';
import type { WorkQueue } from '../../isolate/work-queue.ts';
import { findLocked } from '../redirect/target-store.ts';
import type { Address, NoTarget, Target } from '../link.ts';

/** The limits and the queue of attempts to enter a password. */
export interface LockGuard {
  /** Attempts at one link from one address. */
  readonly pair: Limiter;
  /** Attempts at all links from one address. */
  readonly address: Limiter;
  readonly hashing: WorkQueue;
  /** The visitor's IP address. */
  readonly visitor: string;
}

/**
 * Verifies a password for the link at an address, as the database has it now. Returns the target, so that the caller can
 * remember it: the link may have another password than memory knows of, or none. Throws `invalid_password`,
 * `too_many_requests`, `busy`, `store_unavailable`.
 */
export async function verifyLinkPassword(
  db: Database,
  guard: LockGuard,
  address: Address,
  linkId: string,
  password: string,
): Promise<Target | NoTarget> {
  let locked: Awaited<ReturnType<typeof findLocked>> | undefined;
  const find = async () => (locked = await findLocked(db, address)).passwordHash;
  await checkPassword(guard, { one: `link ${linkId}`, all: 'links' }, find, password);
  return locked!.found;
}

/**
 * Checks a password within the limits of wrong ones. Throws `invalid_password`, `too_many_requests`, `busy`,
 * `store_unavailable`.
 *
 * @param names what is protected, and all such things, in the keys of the limits
 * @param findHash finds the hash of the password, which is null if there is none
 */
export async function checkPassword(
  { pair, address, hashing, visitor }: LockGuard,
  names: { readonly one: string; readonly all: string },
  findHash: () => Promise<string | null>,
  password: string,
): Promise<void> {
  await refuseTooMany([pair(`${visitor} ${names.one}`), address(`${visitor} ${names.all}`)]);
  const passwordHash = await findHash();
  if (passwordHash === null || (await hashing.take(() => verifyPassword(password, passwordHash)))) return;
  throw new AppError('invalid_password', 'The password is wrong.', { status: 403 });
}

// Without its limiter a password would be open to guessing, so no attempt is taken.
async function refuseTooMany(attempts: readonly Promise<boolean>[]): Promise<void> {
  const allowed = await Promise.all(attempts).catch((cause: unknown) => {
    throw new AppError(
      'store_unavailable',
      'Checking passwords is temporarily unavailable. Try again in a few seconds.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    );
  });
  if (allowed.includes(false)) throw tooManyRequests('Too many attempts. Wait a minute, then try again.');
}
