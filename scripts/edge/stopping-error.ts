import { AppError } from '../../src/errors.ts';

// For a restart.
const RETRY_AFTER_SECONDS = 5;

/** The error that callers get while the service stops. */
export const stoppingError = (): AppError =>
  new AppError('store_unavailable', 'The service is stopping. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
