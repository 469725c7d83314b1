import { AppError } from '../errors.ts';
import { logProblem } from '../log.ts';

/** The documented body of every failure: `{result, error}`. */
export interface FailureBody {
  readonly result: 'Failed';
  /** `<code>: <sentence>` */
  readonly error: string;
}

/** What went wrong, as callers may know it: a bug is told as nothing but that. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal_error', 'Something is broken on our side. It has been logged.', { cause: error });
}

/** Logs what an operator should know of: outages and bugs, with what caused them. */
export function logFailure(error: AppError, fields: Readonly<Record<string, string>> = {}): void {
  if (error.status < 500) return;
  const { code, cause } = error;
  logProblem(code, code === 'internal_error' && cause instanceof Error ? cause.stack : cause, fields);
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
