import { env } from 'cloudflare:workers';
import { createApplicationPassword } from '../../src/accounts/application-passwords/application-passwords.ts';
import { newNonce } from '../../src/secrets/random-secrets.ts';
import { db, type Tenant, type Tokens } from './seed.ts';
import { call } from './service.ts';
import { seedSession } from './sessions.ts';
import { attempt } from './sign-in.ts';

/** Application passwords, and the tokens that programs get with them. */

export async function seedApplicationPassword(
  tenant: Pick<Tenant, 'userId'>,
  name = 'backup script',
): Promise<{ id: string; text: string }> {
  const { session } = await seedSession(tenant);
  const { password, text } = await createApplicationPassword(db, session, newNonce(), { name });
  if (text === null) throw new Error('the application password did not take');
  return { id: password.id, text };
}

/** Gets tokens with a name and a password, of any kind. */
export async function tokensBy({ userName, address }: Tenant, password: string): Promise<Tokens> {
  const response = await attempt(userName, password, address);
  if (response.status !== 201) throw new Error(`create_token answered ${response.status}`);
  return response.json();
}

/** From now on a sign-in of the user needs a second factor. */
export const demandFactor = ({ userId }: Pick<Tenant, 'userId'>) =>
  env.DB.prepare('UPDATE users SET factor_since = 1 WHERE id = ?').bind(userId).run();

/** The status of a request of the API by an access token, and the code of its error. */
export async function outcomeOf(
  token: string,
  method: string,
  path: string,
  fields?: object,
): Promise<[status: number, code: string | undefined]> {
  const response = await call(path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(fields && { 'Content-Type': 'application/json' }) },
    ...(fields && { body: JSON.stringify(fields) }),
  });
  const { error } = await response.json<{ error?: string }>();
  return [response.status, error?.split(':')[0]];
}
