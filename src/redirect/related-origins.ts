import { hasPasskeysOf } from '../accounts/passkeys/former-hosts.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { refuse } from './refusal.ts';
import { refuseFileMethod } from './responses.ts';

// A passkey that was added a moment ago on a former host is rare, and so is a move back.
const CACHE_CONTROL = 'public, max-age=3600';

/**
 * Answers on a host at which the service was before a move: its passkeys may be used at `PUBLIC_URL`, the service's host now
 * (https://www.w3.org/TR/webauthn-3/#sctn-related-origins). 404 on hosts without passkeys, such as those of customers.
 */
export async function relatedOrigins(
  request: Request,
  host: string,
  db: Database,
  publicUrl: URL | null,
): Promise<Response> {
  try {
    refuseFileMethod(request.method);
    if (publicUrl === null || !(await hasPasskeysOf(db, host)))
      throw new AppError('not_found', 'There is nothing at this address.');
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': CACHE_CONTROL };
    const body = JSON.stringify({ origins: [publicUrl.origin] });
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  } catch (error) {
    return refuse(request, error, publicUrl);
  }
}
