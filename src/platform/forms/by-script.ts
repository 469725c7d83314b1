import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PlatformEnv } from '../env.ts';

/** The header of a form that a script of its page sends, so that the page can stay as it is if it is not taken. */
export const BY_SCRIPT = 'Terse-Form';

/** The header of the response to such a form with the address that it has created, which the script copies. */
export const SHORT_URL = 'Terse-Short-Url';

export const isByScript = (c: Context<PlatformEnv>): boolean => c.req.header(BY_SCRIPT) !== undefined;

/** The error of a form that may have been saved. */
export const UNCONFIRMED_WRITE =
  'The database did not confirm whether this was saved. Check in a few seconds, and repeat it only if it was not.';

/**
 * Answers a script with 204 and the address in place of a redirect, which `fetch` would follow or hide, and lets it know
 * of a form that may have been saved, since it must not offer to send that again.
 */
export const leadScripts = createMiddleware<PlatformEnv>(async (c, next) => {
  await next();
  if (!isByScript(c)) return;
  if (c.res.status === 303) c.res = new Response(null, { status: 204 });
  if (c.var.failedNow?.message === UNCONFIRMED_WRITE) c.res.headers.set(BY_SCRIPT, 'unconfirmed');
});
