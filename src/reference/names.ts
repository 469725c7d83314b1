import type { Release } from './entries.ts';

/** What names a release for ever, wherever the service is. */
export function urnOf({ version }: Pick<Release, 'version'>): string {
  return `urn:terse:${version}`;
}
