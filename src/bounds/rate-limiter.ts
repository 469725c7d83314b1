import { AppError } from '../errors.ts';
import { TIMEOUT_MS, withTimeout } from './timeouts.ts';

/** Counts one more try under this key, and returns whether it is within the limit. May throw. */
export type Limiter = (key: string) => Promise<boolean>;

/** The period of every limiter in wrangler.toml. */
const PERIOD_SECONDS = 60;

/**
 * A limiter for the domain rooms. Source: https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/
 */
export function openLimiter(binding: RateLimit): Limiter {
  return async (key) => (await withTimeout(TIMEOUT_MS.limiter, binding.limit({ key }))).success;
}

/** The failure of an attempt beyond a limit. Windows are aligned to the clock, so the wait is the rest of this one. */
export function tooManyRequests(sentence: string): AppError {
  const elapsedSeconds = Math.floor(Date.now() / 1000) % PERIOD_SECONDS;
  return new AppError('too_many_requests', sentence, { retryAfterSeconds: PERIOD_SECONDS - elapsedSeconds });
}

/** The failure of a request that another server asks to repeat later. @param until milliseconds since the epoch */
export function tooManyRequestsUntil(until: number, sentence: string): AppError {
  return new AppError('too_many_requests', sentence, {
    retryAfterSeconds: Math.max(1, Math.ceil((until - Date.now()) / 1000)),
  });
}
