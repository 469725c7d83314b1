import { createHash } from 'node:crypto';

/** A hash of some fields, whatever their order; one that is undefined counts as absent. SHA-256 as base64url. */
export function contentHash(fields: object): string {
  const sorted = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}
