import { AppError } from '../errors.ts';
import { logProblem } from '../log.ts';

/** The documented body of every failure: `{result, error}`. */
export interface FailureBody {
  readonly result: 'Failed';
  /** `<code>: <sentence>` */
  readonly error: string;
}

/** What went wrong, as callers may know it: a bug is logged here, and told as nothing but that. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  logProblem('unexpected_error', error instanceof Error ? (error.stack ?? error) : error);
  return new AppError('internal_error', 'Something is broken on our side. It has been logged.', { cause: error });
}

export function failureBody(error: AppError): FailureBody {
  return { result: 'Failed', error: `${error.code}: ${error.message}` };
}

/** `Retry-After` (RFC 9110, section 10.2.3) and `Allow` (10.2.1), where the failure has them. */
export function failureHeaders(error: AppError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    ...(error.allow && { Allow: error.allow.join(', ') }),
  };
}
