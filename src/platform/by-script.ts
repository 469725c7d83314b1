import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PlatformEnv } from './env.ts';

/** The header of a form that a script of its page sends, so that the page can stay as it is if it is not taken. */
export const BY_SCRIPT = 'Terse-Form';

export const isByScript = (c: Context<PlatformEnv>): boolean => c.req.header(BY_SCRIPT) !== undefined;

/** Answers a script with 204 and the address in place of a redirect, which `fetch` would follow or hide. */
export const leadScripts = createMiddleware<PlatformEnv>(async (c, next) => {
  await next();
  if (isByScript(c) && c.res.status === 303) c.res = new Response(null, { status: 204 });
});
