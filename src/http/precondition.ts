import type { Context } from 'hono';
import { AppError } from '../errors.ts';
import type { HttpEnv } from './env.ts';

// Enough for some dozens of tags.
const MAX_HEADER_CHARACTERS = 1024;
// Elements of the list may be empty (RFC 9110, section 5.6.1.2).
const LISTED_TAG = /[ \t]*(?:(?:W\/)?("[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** The entity tag of a revision (RFC 9110, section 8.8.3). */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/**
 * Reads `If-Match` (RFC 9110, section 13.1.1) as a function that checks a revision; undefined without the header. A
 * weak tag counts as a strong one, since some caches and proxies weaken tags. Throws `invalid_if_match`.
 */
export function readIfMatch(c: Context<HttpEnv>): ((revision: number) => boolean) | undefined {
  const header = c.req.header('If-Match');
  if (header === undefined) return undefined;
  const tags = readTags(header);
  if (tags === null) {
    throw new AppError(
      'invalid_if_match',
      'If-Match must be the ETag of the link, such as "1795255200000", or *. Keep the quotes.',
    );
  }
  return (revision) => tags.has('*') || tags.has(etagOf(revision));
}

/** True if the caller already has a revision, according to `If-None-Match` (RFC 9110, section 13.1.2). */
export function isKnown(c: Context<HttpEnv>, revision: number): boolean {
  const tags = readTags(c.req.header('If-None-Match') ?? '');
  return tags !== null && (tags.has('*') || tags.has(etagOf(revision)));
}

/** The entity tags of a header, without `W/`; null if it is neither a list of tags nor `*`. */
function readTags(header: string): ReadonlySet<string> | null {
  if (header.trim() === '*') return new Set('*');
  if (header === '' || header.length > MAX_HEADER_CHARACTERS) return null;
  const tags = new Set<string>();
  for (let at = 0; at < header.length; at = LISTED_TAG.lastIndex) {
    LISTED_TAG.lastIndex = at;
    const element = LISTED_TAG.exec(header);
    if (element === null) return null;
    if (element[1] !== undefined) tags.add(element[1]);
  }
  return tags.size > 0 ? tags : null;
}
