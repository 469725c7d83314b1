import { createMiddleware } from 'hono/factory';
import type { EncodeSchedule } from '../config/config.ts';
import type { HttpEnv } from '../http/env.ts';
import type { PathMiddleware } from '../http/surface.ts';

/** The path of `encode.ts`, whose retirement is announced without loading it. */
export const ENCODE_PATH = '/shortener/encode';

/**
 * Deprecation (RFC 9745), Sunset (RFC 8594) and the links that belong to them, on every answer, preflights included.
 */
export function encodeRetirement({
  deprecatedAtSeconds,
  sunsetSeconds,
  cutoffSeconds,
}: EncodeSchedule): PathMiddleware {
  const endSeconds = sunsetSeconds ?? cutoffSeconds;
  const links = [
    '</v1/links>; rel="successor-version"',
    '</changelog>; rel="deprecation"; type="text/html"',
    // RFC 8594, section 6.
    ...(endSeconds === null ? [] : ['</changelog>; rel="sunset"; type="text/html"']),
  ].join(', ');
  const announce = createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    if (deprecatedAtSeconds !== null) headers.set('Deprecation', `@${deprecatedAtSeconds}`);
    if (endSeconds !== null) headers.set('Sunset', new Date(endSeconds * 1000).toUTCString());
    headers.set('Link', links);
  });
  return { path: ENCODE_PATH, middleware: announce };
}
