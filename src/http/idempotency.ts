import type { Context } from 'hono';
import * as z from 'zod';
import type { IdempotentEndpoint, RepeatKey } from '../accounts/stored-responses.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import type { HttpEnv } from './env.ts';

const HEADER = 'Idempotency-Key';

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
 * Reads what identifies a repeated request, except its content; null without the header. Throws
 * `invalid_idempotency_key`.
 */
export function readRepeat(c: Context<HttpEnv>, endpoint: IdempotentEndpoint): RepeatKey | null {
  const key = c.req.header(HEADER);
  if (key === undefined) return null;
  if (idempotencyKey().safeParse(key).success) return { key, endpoint };
  throw new AppError('invalid_idempotency_key', `${HEADER} must be 1 to 255 visible ASCII characters.`);
}

/**
 * Refuses an `Idempotency-Key` at an endpoint that keeps no answers, so that no caller relies on it. Throws
 * `invalid_idempotency_key`.
 *
 * @param reason why, and what to do instead
 */
export function refuseRepeat(c: Context<HttpEnv>, reason: string): void {
  if (c.req.header(HEADER) === undefined) return;
  throw new AppError('invalid_idempotency_key', `${HEADER} is not supported here: ${reason}`);
}

/** The reason at endpoints whose answer holds a secret. */
export const SECRET_IS_SHOWN_ONCE =
  'the response contains a secret, so it is not stored. Leave the header out; if a repeated request created a second one, revoke it.';
