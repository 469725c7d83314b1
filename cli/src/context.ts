import { usageFailure } from './outcome.ts';
import { connect, type Service } from './service.ts';
import { readSignIn } from './sign-in.ts';

/** The options that all commands take. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly timeout: number;
  readonly client?: string;
}

/** The service that the user is signed in to. */
export function openService({ timeout, client }: CommonOptions): Service {
  const signIn = readSignIn();
  return connect({ ...signIn, client: client ?? process.env['TERSE_CLIENT'] ?? signIn.client }, timeout);
}

/** For options that can be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** For options that take a whole number. */
export function wholeNumber(name: string, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most)
      throw usageFailure(`${name} takes a whole number from 1 to ${most}, not "${text}".`);
    return number;
  };
}
