import { tooManyRequests } from '../../bounds/rate-limiter.ts';
import { AppError } from '../../errors.ts';
import { sendResetMessage } from '../../mail/messages.ts';
import type { SignInGuard } from '../sessions/sign-in.ts';
import { MAX_UNITS_OF_NAME } from './names.ts';

/**
 * Asks for a mailed link to choose a new password. The queue finds out whether there is such an account, so that the work
 * of a request, and its response, are the same for all names. Throws `too_many_requests`, `store_unavailable`.
 *
 * @param name of a user, or a confirmed address, as it was typed
 */
export async function requestResetMail(
  queue: Pick<Queue, 'sendBatch'>,
  { limits, address }: Pick<SignInGuard, 'limits' | 'address'>,
  name: string,
): Promise<void> {
  // No name and no address is longer, and a message of the queue has a bound.
  const typed = name.slice(0, MAX_UNITS_OF_NAME + 1);
  const isAllowed = await Promise.all([limits.address(address), limits.pair(`${address} reset`)]).catch(
    throwUnavailable,
  );
  if (isAllowed.includes(false))
    throw tooManyRequests('Too many attempts from this address. Wait a minute, then try again.');
  await sendResetMessage(queue, typed).catch(throwUnavailable);
}

function throwUnavailable(cause: unknown): never {
  throw new AppError('store_unavailable', 'This is temporarily unavailable. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}
