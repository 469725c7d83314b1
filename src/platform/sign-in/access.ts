import type { Context } from 'hono';
import type { AccessPerson } from '../../tokens/access-assertion.ts';
import { signInByAccess } from '../../accounts/cloudflare-access/sign-in.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { keepSession } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';

/** Why an assertion of Cloudflare Access has begun no session, with the address and the subject in it. */
export interface AccessRefusal {
  readonly why: 'unknown' | 'other' | 'unavailable';
  readonly email: string;
  readonly subject: string;
}

/**
 * Signs in the person of the request's assertion, and sets the cookie. Null if it has, or the reason; `invalid` is as if
 * there was no assertion, since anyone can send the header where Access does not protect the page.
 */
export async function signInHereByAccess(
  c: Context<PlatformEnv>,
  assertion: string,
): Promise<AccessRefusal | 'invalid' | null> {
  const { config, verifyAssertion } = c.var.services;
  if (config.access === null || verifyAssertion === null) return 'invalid';
  const person = await verifyAssertion(assertion);
  if (person === 'invalid') return 'invalid';
  if (person === 'unavailable') return { why: 'unavailable', email: '', subject: '' };
  await limitRate(c, 'write', { userId: nameOf(person) });
  const { signInJoins: joins } = config;
  const outcome = await signInByAccess(c.var.db, { application: config.access, joins }, person, deviceOf(c));
  if (outcome === 'over') return 'invalid';
  if (typeof outcome === 'string') return { why: outcome, email: person.email, subject: person.subject };
  keepSession(c, outcome.value);
  return null;
}

const nameOf = ({ subject }: AccessPerson): string => `access ${subject}`;
