import { Hono, type Context } from 'hono';
import { confirmCredential } from '../accounts/confirm.ts';
import { AppError } from '../errors.ts';
import { BEARER_CHALLENGE, readBearer, refuseWith, tokenCredential, verifyFor } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { healthQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { touchCache } from '../links/redirect/cache.ts';
import { logProblem } from '../log.ts';
import { TIMEOUT_MS, withTimeout } from '../timeouts.ts';
import { parseFields } from '../validation.ts';

const RETRY_AFTER_SECONDS = 5;

/** `GET /health`: whether the Worker answers, and with `deep=1` and a valid token, whether its stores do. */
export function healthApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/health', refuseWith({ challenge: BEARER_CHALLENGE }), async (c) => {
    const { deep } = parseFields(healthQuery(), readQuery(c));
    if (!deep) return c.json({ status: 'ok', checked: [] });
    await checkStores(c);
    return c.json({ status: 'ok', checked: ['d1', 'kv'] });
  });
}

// The database checks whether the token is still valid. If the database fails, the token's signature is enough.
async function checkStores(c: Context<HttpEnv>): Promise<void> {
  const credential = tokenCredential('access', await verifyFor(c, 'access', readBearer(c)));
  const faults = await Promise.all([
    faultOf(c, 'd1', confirmCredential(c.var.db, credential)),
    faultOf(c, 'kv', touchCache(c.env.LINKS)),
  ]);
  const broken = faults.filter((store) => store !== null);
  if (broken.length === 0) return;
  throw new AppError('store_unavailable', `These stores do not respond: ${broken.join(', ')}.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(broken.join(', ')),
  });
}

/** The name of the store if it fails, else null. Throws errors of the caller. */
async function faultOf(c: Context<HttpEnv>, store: string, check: Promise<void>): Promise<string | null> {
  try {
    await withTimeout(TIMEOUT_MS.health, check);
    return null;
  } catch (error) {
    const isOutage = !(error instanceof AppError) || error.code === 'store_unavailable';
    if (!isOutage) throw error;
    logProblem('health_failed', error instanceof AppError ? error.cause : error, {
      store,
      request_id: c.var.requestId,
    });
    return store;
  }
}
