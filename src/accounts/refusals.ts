import { AppError } from '../errors.ts';

/** A name and a password that do not belong to one account. */
export function wrongCredentials(): AppError {
  return new AppError('invalid_credential', 'The user name or the password is wrong.');
}

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

/** A workspace that is opened only by the provider that its owners have chosen. */
export function providerRequired(): AppError {
  return new AppError(
    'provider_required',
    'The workspace is opened only by a sign-in of its own provider. Sign in to the platform with it, or use an API key.',
  );
}

/** A workspace that demands a second factor, which the user does not have. */
export function factorRequired(): AppError {
  return new AppError(
    'factor_required',
    'The workspace demands a second factor. Sign in to the platform and set one up under Account.',
  );
}

/** A token that may not do what a person has to confirm on the pages. */
export function stepUpRequired(): AppError {
  return new AppError(
    'step_up_required',
    'A person must confirm this on the platform: sign in there, and do it there.',
  );
}
