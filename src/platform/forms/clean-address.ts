import { createMiddleware } from 'hono/factory';
import type { PlatformEnv } from '../env.ts';
import { TYPED_BY } from './resume-form.ts';

// A longer query is refused by what reads it.
const MAX_CHARACTERS = 8192;

/**
 * Redirects (302) to the address without its empty parameters, which a form sends for each field that was left empty, and
 * without what only a form that is posted needs. Where scripts run, the browser leaves them out by itself.
 */
export const cleanAddress = createMiddleware<PlatformEnv>(async (c, next) => {
  const { pathname, search } = c.var.site.requestUrl;
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || search === '' || search.length > MAX_CHARACTERS) return next();
  const given = [...new URLSearchParams(search)];
  const kept = given.filter(([name, value]) => value !== '' && name !== TYPED_BY);
  if (kept.length === given.length) return next();
  const query = new URLSearchParams(kept).toString();
  return c.redirect(query === '' ? pathname : `${pathname}?${query}`, 302);
});
