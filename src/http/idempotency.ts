import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import type { KeepingEndpoint, Repeatable } from '../accounts/kept-answers.ts';
import { AppError } from '../errors.ts';
import type { HttpEnv } from './env.ts';

const HEADER = 'Idempotency-Key';

/** What `Idempotency-Key` may say. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~]{1,255}$/)
  .meta({ description: 'Within 24 hours the same content under the same key is given the first answer again' });

/** Reads how a request is to be known if it comes again, but for its content; or null. Throws `invalid_idempotency_key`. */
export function readRepeat(
  c: Context<HttpEnv>,
  endpoint: KeepingEndpoint,
): Pick<Repeatable, 'key' | 'endpoint'> | null {
  const key = c.req.header(HEADER);
  if (key === undefined) return null;
  if (idempotencyKey.safeParse(key).success) return { key, endpoint };
  throw new AppError('invalid_idempotency_key', `${HEADER} must be 1 to 255 visible ASCII characters.`);
}

/** A hash of what is asked for, not of how it was sent: the boundary of a form differs each time. */
export function fingerprintOf(content: object): string {
  const sorted = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}

/**
 * Refuses an `Idempotency-Key` where no answer is kept, so that nobody relies on it. Throws `invalid_idempotency_key`.
 *
 * @param reason why, and what to do instead
 */
export function refuseRepeat(c: Context<HttpEnv>, reason: string): void {
  if (c.req.header(HEADER) === undefined) return;
  throw new AppError('invalid_idempotency_key', `${HEADER} is not taken here: ${reason}`);
}

/** Where the answer holds a secret. */
export const SECRET_IS_SHOWN_ONCE =
  'the answer shows a secret once, and is not kept. Leave it out; what was made twice can be revoked.';
