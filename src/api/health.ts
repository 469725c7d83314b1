import { Hono } from 'hono';
import { WriteChecks } from '../accounts/database-state.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readQuery } from '../http/query.ts';
import { Later } from '../isolate/later.ts';

/** `GET /health`: whether the Worker answers, and with `deep=1` and a valid credential, what its stores do. */
export function healthApi(): Hono<HttpEnv> {
  const writes = new WriteChecks();
  const deep = new Later(() => import('./deep-health.ts'));
  return new Hono<HttpEnv>().get('/health', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const query = readQuery(c);
    // Monitors that ask often ask without a query.
    const checked =
      Object.keys(query).length === 0 ? [] : await deep.use(({ checkStores }) => checkStores(c, query, writes));
    return c.json({ status: 'ok', checked });
  });
}
