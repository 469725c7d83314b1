import type { Context } from 'hono';
import * as z from 'zod';
import type { IdempotentEndpoint, RepeatKey } from '../accounts/stored-responses.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import type { HttpEnv } from './env.ts';

/** The name of the header by which a request can be repeated. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The header `Idempotency-Key`. */
export const idempotencyKey = lazy(() =>
  z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .meta({
      description: 'Within 24 hours a request with the same key and the same content gets the first response again',
    }),
);

/**
 * Reads what identifies a repeated request, except its content. Throws `invalid_idempotency_key`.
 *
 * @param key the header, which few requests have
 */
export function readRepeat(key: string, endpoint: IdempotentEndpoint): RepeatKey {
  if (idempotencyKey().safeParse(key).success) return { key, endpoint };
  throw new AppError('invalid_idempotency_key', `${IDEMPOTENCY_KEY} must be 1 to 255 visible ASCII characters.`);
}

/**
 * Refuses an `Idempotency-Key` at an endpoint that keeps no answers, so that no caller relies on it. Throws
 * `invalid_idempotency_key`.
 *
 * @param reason why, and what to do instead
 */
export function refuseRepeat(c: Context<HttpEnv>, reason: string): void {
  if (c.req.header(IDEMPOTENCY_KEY) === undefined) return;
  throw new AppError('invalid_idempotency_key', `${IDEMPOTENCY_KEY} is not supported here: ${reason}`);
}

/** The reason at endpoints whose answer holds a secret. */
export const SECRET_IS_SHOWN_ONCE =
  'the response contains a secret, so it is not stored. Leave the header out; if a repeated request created a second one, revoke it.';
