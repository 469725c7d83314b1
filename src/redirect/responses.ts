import { AppError } from '../errors.ts';
import type { RedirectStatus } from '../links/fields/redirect-status.ts';

/** The responses to visitors, and the errors that stand for refusals. */

// The object is copied into each response, which costs less than reading a plain object each time.
const HEADERS = new Headers({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
/** The status that makes a browser send GET after a form (RFC 9110, 15.4.4). */
export const AFTER_FORM = 303;
const FOUND = { status: 302, headers: HEADERS };

export function redirectTo(url: string, status?: RedirectStatus | typeof AFTER_FORM): Response {
  const response = new Response(null, status === undefined ? FOUND : { status, headers: HEADERS });
  response.headers.set('Location', url);
  return response;
}

export function noSuchLink(): AppError {
  return new AppError('not_found', 'There is no short link at this address.');
}

export function linkGone(): AppError {
  return new AppError('gone', 'This short link is no longer available.');
}

export function linkBlocked(): AppError {
  return new AppError('link_blocked', 'The operator of this service has blocked the host that this link leads to.');
}

/** Refuses another method than GET and HEAD for a file. Throws `method_not_allowed`. */
export function refuseFileMethod(method: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new AppError('method_not_allowed', 'This file answers GET and HEAD only.', { allow: ['GET', 'HEAD'] });
}

export function onlyGetAndHead(): AppError {
  return new AppError('method_not_allowed', 'A short link answers GET and HEAD only.', { allow: ['GET', 'HEAD'] });
}
