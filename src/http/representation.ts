import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { HttpEnv } from './env.ts';

/** The media type of a managed link. */
export const LINK_TYPE = 'application/vnd.terse.link+json';

/**
 * True if `Accept` names the type of a managed link, with no less weight than JSON. Callers of the published interface
 * never send it.
 */
export function asksForLink(c: Context<HttpEnv>): boolean {
  const ranges = parseAccept(c.req.header('Accept') ?? '');
  const weight = ranges.find(({ type }) => type.toLowerCase() === LINK_TYPE)?.q ?? 0;
  return weight > 0 && ranges.every(({ type, q }) => type.toLowerCase() !== 'application/json' || q <= weight);
}
