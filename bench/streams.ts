import { DEFAULT_MEMORY_SECONDS } from '../src/config/config.ts';
import { pathsOf, range } from './links.ts';
import type { Stream } from './load.ts';
import { shuffled, VISITORS } from './requests.ts';

/** Streams of redirects that several parts of the bench send. */

export const CONNECTIONS = 32;
/** The number of links that counts as many. */
export const LINKS = 1000;

export function redirects(paths: readonly string[]): Stream {
  return { paths, connections: CONNECTIONS, status: 302 };
}

/** One path, once for each visitor. */
export function repeat(path: string): string[] {
  return Array.from({ length: VISITORS }, () => path);
}

/** All links again and again; each connection requests them in an order of its own. */
export function manyPaths(): string[] {
  const rounds = Array.from({ length: CONNECTIONS }, () => pathsOf(shuffled(range(0, LINKS))));
  return range(0, LINKS).flatMap((turn) => rounds.map((paths) => paths[turn] ?? ''));
}

/**
 * Each link once, slowly enough that the links leave memory one after the other, as in the long run; a short run that
 * only checks that everything works does not wait for that.
 */
export function eachLinkSlowly(seconds: number): Stream {
  return {
    ...redirects(pathsOf(range(0, LINKS))),
    perSecond: LINKS / Math.min(DEFAULT_MEMORY_SECONDS, 5 * seconds),
  };
}
