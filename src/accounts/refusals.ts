import { AppError } from '../errors.ts';

/** An API key or a token that the database does not accept. */
export function invalidCredential(): AppError {
  return new AppError('invalid_credential', 'The credential is revoked, expired or unknown. Use another one.');
}

/** A token whose sign-in has ended. */
export function expiredSignIn(): AppError {
  return new AppError(
    'invalid_credential',
    'The sign-in of this token has expired or was revoked. Sign in again to get a new token.',
  );
}

/** A session on the pages that has ended. */
export function expiredSession(): AppError {
  return new AppError('invalid_credential', 'This session has expired. Sign in again.');
}
