import type { EncodeSchedule } from '../config/config.ts';
import { AppError } from '../errors.ts';
import type { Changelog, Entry } from './entries.ts';

/**
 * Reads the changelog of this version of the service, a file that the build copies from `changelog.json` and that tests
 * check, so that the Worker contains neither. Throws `store_unavailable`.
 *
 * @param url of the request, for its origin
 */
export async function readChangelog(assets: Fetcher, url: string): Promise<Changelog> {
  const file = await assets.fetch(new URL('/assets/changelog.json', url));
  if (!file.ok)
    throw new AppError('store_unavailable', 'The changelog is temporarily unavailable. Try again in a few seconds.');
  return file.json();
}

const DEPRECATED_PATH = '/shortener/encode';

/**
 * The changelog, with the end of the deprecated endpoint, which is a setting, as a note in the newest entry about that
 * endpoint.
 */
export function withEnd(
  { unreleased, releases }: Changelog,
  { cutoffSeconds, sunsetSeconds }: Pick<EncodeSchedule, 'cutoffSeconds' | 'sunsetSeconds'>,
): Changelog {
  if (cutoffSeconds === null && sunsetSeconds === null) return { unreleased, releases };
  const note = [
    'Deprecated.',
    ...(cutoffSeconds === null ? [] : [`It refuses tokens issued from ${instantOf(cutoffSeconds)} on.`]),
    ...(sunsetSeconds === null ? [] : [`It will be removed at ${instantOf(sunsetSeconds)}.`]),
    'Send the same form to POST /v1/links.',
  ].join(' ');
  const newest = releases.flatMap(({ entries }) => entries).find(({ path }) => path === DEPRECATED_PATH);
  const withNote = (entries: readonly Entry[]) =>
    entries.map((entry) => (entry === newest ? { ...entry, note } : entry));
  return {
    unreleased,
    releases: releases.map((release) => ({ ...release, entries: withNote(release.entries) })),
  };
}

function instantOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
