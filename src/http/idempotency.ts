import type { Context } from 'hono';
import * as z from 'zod';
import { AppError } from '../errors.ts';
import type { HttpEnv } from './env.ts';

/** What `Idempotency-Key` may say. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~]{1,255}$/)
  .meta({ description: 'Within 24 hours the same content under the same key is given the first answer again' });

/** Reads `Idempotency-Key`, or null. Throws `invalid_idempotency_key`. */
export function readIdempotencyKey(c: Context<HttpEnv>): string | null {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined || idempotencyKey.safeParse(key).success) return key ?? null;
  throw new AppError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}
