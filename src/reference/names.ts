import type { Release } from '../changelog/entries.ts';

/** The permanent name of a release, the same on every host. */
export function urnOf({ version }: Pick<Release, 'version'>): string {
  return `urn:terse:${version}`;
}
