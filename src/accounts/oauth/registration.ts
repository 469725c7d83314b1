import type { Database } from '../../database/database.ts';
import { tooManyRequestsUntil } from '../../bounds/rate-limiter.ts';
import { AppError } from '../../errors.ts';
import { randomToken } from '../../secrets/random-secrets.ts';
import { cleanName, readRedirectUris, type Application } from './application.ts';
import { OAuthError } from './oauth-error.ts';
import * as store from './registration-store.ts';
import { HOUR_MS } from '../../time/day.ts';

/** An application that has registered itself. */
interface Registered extends Application {
  readonly registeredAt: number;
}

/**
 * Registers a program by its metadata (RFC 7591, section 2). All are public clients, whatever they ask for. Throws
 * `OAuthError`, `too_many_requests` after ten in an hour from an address, `store_unavailable` if the register is full.
 *
 * @param address the caller's
 */
export async function registerApplication(
  db: Database,
  metadata: Readonly<Record<string, unknown>>,
  address: string,
): Promise<Registered> {
  const redirectUris = readRedirectUris(metadata['redirect_uris']);
  if (redirectUris === null)
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be 1 to 10 URIs: https, http on a loopback address, or a private-use scheme.',
    );
  const given = metadata['client_name'] ?? undefined;
  if (given !== undefined && typeof given !== 'string')
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text.');
  const now = Date.now();
  const application = { id: randomToken(16), name: cleanName(given), redirectUris };
  const [, [inserted], [limit]] = await db.batch<[never, { id: string }, { is_over: number }]>(
    store.insertApplication({
      id: application.id,
      name: application.name ?? '',
      redirectUris: JSON.stringify(redirectUris),
      address,
      now,
    }),
  );
  if (inserted) return { ...application, registeredAt: now };
  if (limit?.is_over === 1)
    throw tooManyRequestsUntil(now + HOUR_MS, 'Your address registers applications too often. Wait an hour.');
  throw new AppError('store_unavailable', 'No further application can be registered now. Try again in an hour.', {
    retryAfterSeconds: HOUR_MS / 1000,
  });
}

/** Finds an application that has registered itself; null if it is unknown. Throws `store_unavailable`. */
export async function findRegistered(db: Database, id: string): Promise<Application | null> {
  const [[row]] = await db.batch<[store.ApplicationRow]>([store.selectApplication(id)]);
  return row ? { id, name: row.name === '' ? null : row.name, redirectUris: JSON.parse(row.redirect_uris) } : null;
}
