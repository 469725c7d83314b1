import type { Context } from 'hono';
import type { HttpEnv } from './env.ts';

/** The entity tag of a revision (RFC 9110, section 8.8.3). */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/**
 * Reads `If-Match` (RFC 9110, section 13.1.1) as a question to a revision; undefined where the caller asks for nothing.
 * A weak tag is taken for a strong one: some caches and proxies weaken tags on their way.
 */
export function readIfMatch(c: Context<HttpEnv>): ((revision: number) => boolean) | undefined {
  const header = c.req.header('If-Match');
  if (header === undefined) return undefined;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return (revision) => tags.has('*') || tags.has(etagOf(revision));
}
