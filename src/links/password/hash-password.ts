import { hashPassword } from '../../accounts/users/password.ts';
import { AppError } from '../../errors.ts';
import type { WorkQueue } from '../../isolate/work-queue.ts';

/** The most links of one request that can have a password. */
export const MAX_PASSWORDS = 5;

/**
 * Hashes a password before it goes to a store: about 150 ms of CPU, so only an authorised caller may cause it, and it waits
 * in a queue. Throws `busy`.
 */
export function hashLinkPassword(queue: WorkQueue, password: string): Promise<string> {
  return queue.take(() => hashPassword(password));
}

export function tooManyPasswords(): AppError {
  return new AppError(
    'invalid_password',
    `password can be set for at most ${MAX_PASSWORDS} links of one request. Send this link in another one.`,
  );
}
