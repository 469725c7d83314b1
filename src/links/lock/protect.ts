import { hashPassword } from '../../accounts/users/password.ts';
import { AppError } from '../../errors.ts';
import type { WorkQueue } from '../../work-queue.ts';

/** Hashes the passwords of links before they go to a store. */

/** What a hash waits for: each takes about 150 ms of CPU, so only a known caller causes one, and they wait in a queue. */
export interface Hashing {
  readonly authorize: () => Promise<unknown>;
  readonly queue: WorkQueue;
}

/** How many links of one request can have a password. */
export const MAX_PASSWORDS = 5;

/** An input whose password is hashed; null if it has none. */
export type Protected<Input> = Omit<Input, 'password'> & { readonly passwordHash: string | null };

interface WithPassword {
  readonly password?: string | null | undefined;
}

/** Throws `busy`, and what `authorize` throws. */
export async function protect<Input extends WithPassword>(
  { authorize, queue }: Hashing,
  { password, ...input }: Input,
): Promise<Protected<Input>> {
  if (password == null) return { ...input, passwordHash: null };
  await authorize();
  return { ...input, passwordHash: await hashLinkPassword(queue, password) };
}

/** Throws `busy`. */
export function hashLinkPassword(queue: WorkQueue, password: string): Promise<string> {
  return queue.take(() => hashPassword(password));
}

/** Like `protect`, for some links, of which only the first five with a password are taken. */
export async function protectMany<Input extends WithPassword>(
  hashing: Hashing,
  inputs: readonly (Input | AppError)[],
): Promise<(Protected<Input> | AppError)[]> {
  const done: (Protected<Input> | AppError)[] = [];
  let passwords = 0;
  for (const input of inputs) {
    if (input instanceof AppError) done.push(input);
    else if (input.password == null || ++passwords <= MAX_PASSWORDS) done.push(await protect(hashing, input));
    else done.push(tooManyPasswords());
  }
  return done;
}

function tooManyPasswords(): AppError {
  return new AppError(
    'invalid_password',
    `password can be set for at most ${MAX_PASSWORDS} links of one request. Send this link in another one.`,
  );
}
