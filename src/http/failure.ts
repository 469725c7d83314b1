import { AppError, type ErrorCode } from '../errors.ts';
import { fieldErrorsOf, type FieldError } from '../input/field-errors.ts';
import { logProblem } from '../isolate/log.ts';
import { PROBLEM_TYPE, wantsProblem } from './accept.ts';

/** The documented body of every failure: `{result, error}`. */
interface FailureBody {
  readonly result: 'Failed';
  /** `<code>: <sentence>` */
  readonly error: string;
}

/** The error for the caller: a bug becomes `internal_error`, without details. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal_error', 'Something went wrong on our side. The error has been logged.', {
    cause: error,
  });
}

/** Logs what an operator should know: outages and bugs, with their cause. */
export function logFailure(error: AppError, fields: Readonly<Record<string, string>> = {}): void {
  if (error.status < 500) return;
  const { code, cause } = error;
  logProblem(code, code === 'internal_error' && cause instanceof Error ? cause.stack : cause, fields);
}

export function failureBody(error: AppError): FailureBody {
  return { result: 'Failed', error: `${error.code}: ${error.message}` };
}

/** The page that documents all codes, each with a fragment of its own. */
const ERRORS_PATH = '/docs/errors';

/** A failure as problem details (RFC 9457). */
interface Problem {
  /** The URL of the code's documentation. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  /** The invalid fields, up to 50. */
  readonly errors?: readonly FieldError[];
}

/** @param origin the public origin of this service */
export function problemOf(error: AppError, origin: string): Problem {
  const { code, status, message: detail } = error;
  const errors = fieldErrorsOf(error);
  return {
    type: `${origin}${ERRORS_PATH}#${code}`,
    title: titleOf(code),
    status,
    detail,
    code,
    ...(errors.length > 0 && { errors }),
  };
}

/** The meaning of a code in a few words. */
function titleOf(code: ErrorCode): string {
  const words = code.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/**
 * A failure as JSON: problem details if `Accept` asks for them, else the documented body.
 *
 * @param body the documented body, if it is not `{result, error}`
 */
export function writeFailure(
  error: AppError,
  {
    accept,
    origin,
    body = failureBody(error),
  }: { readonly accept: string; readonly origin: string; readonly body?: object },
): { readonly type: string; readonly text: string } {
  return wantsProblem(accept)
    ? { type: PROBLEM_TYPE, text: JSON.stringify(problemOf(error, origin)) }
    : { type: 'application/json', text: JSON.stringify(body) };
}

/** `Retry-After` (RFC 9110, section 10.2.3) and `Allow` (10.2.1), if the failure has them. */
export function failureHeaders(error: AppError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    ...(error.allow && { Allow: error.allow.join(', ') }),
  };
}
