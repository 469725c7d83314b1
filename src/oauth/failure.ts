import type { Context } from 'hono';
import { OAuthError } from '../accounts/oauth/oauth-error.ts';
import type { AppError } from '../errors.ts';
import type { HttpEnv } from '../http/env.ts';
import { asAppError, failureHeaders, logFailure } from '../http/failure.ts';

/** Answers a failure in the form of OAuth (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export function respondToFailure(failure: unknown, c: Context<HttpEnv>): Response {
  if (failure instanceof OAuthError) {
    // So that it counts for the limit of its address, as a bad secret does.
    if (failure.code === 'invalid_grant' || failure.code === 'invalid_client') c.set('failure', 'invalid_credential');
    return c.json({ error: failure.code, error_description: failure.message }, 400);
  }
  const error = asAppError(failure);
  c.set('failure', error.code);
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  return c.json({ error: codeOf(error), error_description: toAscii(error.message) }, error.status);
}

function codeOf({ status }: AppError): string {
  if (status === 429) return 'too_many_requests';
  if (status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

// A description has neither quotes nor backslashes, and no other characters than those of ASCII.
const toAscii = (sentence: string): string => sentence.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/g, '?');
