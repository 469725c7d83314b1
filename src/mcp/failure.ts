import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppError } from '../errors.ts';
import type { HttpEnv } from '../http/env.ts';
import { asAppError, failureHeaders, logFailure } from '../http/failure.ts';
import { RPC_CODES, RpcError, type RequestId } from './rpc.ts';

/** The responses to what fails. */

/** An error of JSON-RPC, and the status of a response that has it alone. */
interface Refusal {
  readonly status: ContentfulStatusCode;
  readonly error: object;
  /** The failure that JSON-RPC does not define; null for one that it does. */
  readonly cause: AppError | null;
}

/** The error of a failure, which is logged here. */
export function refusalOf(c: Context<HttpEnv>, failure: unknown): Refusal {
  if (failure instanceof RpcError) {
    const { code, message, data, status } = failure;
    return { status, error: { code, message, ...(data && { data }) }, cause: null };
  }
  const cause = asAppError(failure);
  c.set('failure', cause.code);
  logFailure(cause, { request_id: c.var.requestId });
  const { code, message, status } = cause;
  return { status, error: { code: rpcCodeOf(cause), message: `${code}: ${message}`, data: { code } }, cause };
}

/** @param id of the request; null if it could not be read */
export function respondToFailure(c: Context<HttpEnv>, failure: unknown, id: RequestId | null): Response {
  const { status, error, cause } = refusalOf(c, failure);
  for (const [name, value] of Object.entries(cause ? failureHeaders(cause) : {})) c.header(name, value);
  if (cause && status === 401 && c.var.refusal) c.header('WWW-Authenticate', c.var.refusal.challenge(cause));
  return c.json({ jsonrpc: '2.0', ...(id !== null && { id }), error }, status);
}

/** Failures that JSON-RPC does not know have their HTTP status as code, which is outside of the codes that it reserves. */
function rpcCodeOf({ code, status }: AppError): number {
  if (code === 'malformed_body') return RPC_CODES.parse_error;
  return status === 500 ? RPC_CODES.internal_error : status;
}
