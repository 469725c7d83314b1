import type { Database } from '../../database/database.ts';
import { logInfo, logProblem } from '../../isolate/log.ts';
import { hashSecret, randomToken } from '../../secrets/random-secrets.ts';
import { SESSION_SECONDS } from '../sessions/lifetime.ts';
import type { Device } from '../sessions/device.ts';
import { isUserName } from '../users/user-names.ts';
import type { AccessPerson } from '../../tokens/access-assertion.ts';
import * as store from './sign-in-store.ts';

/** Signing in by an assertion of Cloudflare Access. */

interface AccessSignIn {
  readonly application: { readonly issuer: string; readonly audience: string };
  /** The workspace and the role of a new person; null if there is none. */
  readonly joins: { readonly clientId: string; readonly role: 'owner' | 'member' } | null;
}

/**
 * The session that has begun, or the reason for none: `unknown` is a person without an account that works here, `other` one
 * whose address belongs to another person, which the operator has to decide about (`connectUser`), `over` an assertion that
 * has ended.
 */
type AccessOutcome = { readonly userId: string; readonly value: string } | 'unknown' | 'other' | 'over';

/** Begins a session that ends with the assertion, for a person who is known, or joins. Throws `store_unavailable`. */
export async function signInByAccess(
  db: Database,
  { application, joins }: AccessSignIn,
  { subject, email, expiresAt }: AccessPerson,
  device: Device,
): Promise<AccessOutcome> {
  const now = Date.now();
  // Accepted within the leeway of the clocks, but there is no time left for a session.
  if (expiresAt <= now) return 'over';
  const [, [known]] = await db.batch<[never, store.KnownRow]>(store.selectPerson(application, subject, email, now));
  if (!known) throw new TypeError('the provider of Access was not inserted');
  const { provider_id: providerId, user_id: userId } = known;
  if (userId !== null && known.is_disabled === 1) return 'unknown';
  if (userId === null) {
    if (known.address_of !== null) {
      logInfo('access_address_taken', { subject, local_id: known.address_of });
      return 'other';
    }
    if (joins === null) return 'unknown';
    const newId = crypto.randomUUID();
    const name = isUserName(email) && !/[\s:\p{Cc}]/u.test(email) && email.length <= 128 ? email : newId;
    await db.batch(store.insertPerson({ providerId, subject, email, name, userId: newId, ...joins, now }));
  }
  const value = randomToken(32);
  const [begun] = await db.batch<[{ readonly user_id: string }, ...never[]]>(
    store.beginAccessSession({
      providerId,
      subject,
      email,
      familyId: crypto.randomUUID(),
      hash: hashSecret(value),
      now,
      endsAt: Math.min(expiresAt, now + SESSION_SECONDS * 1000),
      ...device,
    }),
  );
  const [row] = begun;
  if (row) return { userId: row.user_id, value };
  if (userId === null && joins !== null)
    logProblem('access_not_joined', new Error('SIGN_IN_JOINS names no workspace that is open'), {});
  return 'unknown';
}
