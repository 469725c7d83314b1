import type { Changelog, Entry } from '../../src/changelog/entries.ts';
import { UsageError } from '../cli-error.ts';
import { canonical } from './json.ts';

/**
 * Turns the unreleased changes into a new version: without `version`, the next one that the rules allow, which is a
 * major one if something breaks, else a minor one. Throws `UsageError` if there is nothing to release, or this version
 * is not allowed.
 *
 * @param date a day, such as `2026-11-21`
 */
export function freeze(changelog: Changelog, date: string, version = nextVersion(changelog)): Changelog {
  const { unreleased, releases } = changelog;
  const [last] = releases;
  if (unreleased.length === 0)
    throw new UsageError('There is nothing to release: nothing has changed since the last release.');
  if (last && date < last.date) throw new UsageError(`A release of ${date} would come before ${last.version}.`);
  const fault = versionFault(last?.version ?? '0.0.0', version, unreleased);
  if (fault !== null) throw new UsageError(fault);
  return { unreleased: [], releases: [{ version, date, entries: unreleased }, ...releases] };
}

/** Why a version cannot follow another with these entries, or null if it can. */
export function versionFault(last: string, version: string, entries: readonly Entry[]): string | null {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return `${version} is not a version such as 1.2.3.`;
  const [from, to] = [numbersOf(last), numbersOf(version)];
  if (compareNumbers(to, from) <= 0) return `${version} does not come after ${last}.`;
  const broken = entries.find(({ breaking }) => breaking);
  if (broken && to[0] <= from[0]) {
    return `${version} is not a new major version, but ${broken.method} ${broken.path} breaks: release ${from[0] + 1}.0.0.`;
  }
  return null;
}

/** A text that is the same for two lists of entries if and only if they are equal. */
export function canonicalEntries(entries: readonly Entry[]): string {
  return canonical(JSON.parse(JSON.stringify(entries)));
}

function nextVersion({ unreleased, releases }: Changelog): string {
  const [major, minor] = numbersOf(releases[0]?.version ?? '0.0.0');
  return unreleased.some(({ breaking }) => breaking) ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

function numbersOf(version: string): readonly [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
