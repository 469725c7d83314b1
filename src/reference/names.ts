import type { Entry, Release } from './entries.ts';

/** One line for an entry, such as "Added POST /v1/links". */
export function titleOf({ kind, method, path }: Pick<Entry, 'kind' | 'method' | 'path'>): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${method} ${path}`;
}

/** What names an entry for ever, wherever the service is: a release has one entry at most of a kind, method and path. */
export function urnOf({ version }: Pick<Release, 'version'>, { kind, method, path }: Entry): string {
  return ['urn:terse', version, kind, ...[method, path].map((part) => encodeURIComponent(part.toWellFormed()))].join(
    ':',
  );
}
