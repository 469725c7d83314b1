import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/**
 * Which fixtures of releases keep their Workers: the newest, and those that `kept-workers.json` names, each with the
 * reason.
 */

const KEPT = 'kept-workers.json';

const keptShape = z.record(z.string(), z.string().min(1));

/** The files of a fixture that belong to its Worker. */
export const WORKER_FILES = ['worker.mjs', 'worker.mjs.gz', 'wrangler.toml'];

/** The versions of the releases whose fixtures are in a folder, oldest first. */
export function versionsIn(releases: string): string[] {
  const names = existsSync(releases) ? readdirSync(releases) : [];
  return names.filter((name) => /^\d+\.\d+\.\d+$/.test(name)).toSorted(compareVersions);
}

/** Reads why Workers of former releases are kept, by version. */
export function readKeptWorkers(releases: string): Readonly<Record<string, string>> {
  const file = join(releases, KEPT);
  return existsSync(file) ? keptShape.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/** True if the fixture of a version, which may not be there yet, keeps its Worker. */
export function keepsWorker(releases: string, version: string): boolean {
  const isNewest = versionsIn(releases).every((other) => compareVersions(other, version) <= 0);
  return isNewest || Object.hasOwn(readKeptWorkers(releases), version);
}

/** Removes the Workers that are not kept. */
export function removeFormerWorkers(releases: string): void {
  for (const version of versionsIn(releases).filter((each) => !keepsWorker(releases, each))) {
    for (const name of WORKER_FILES) rmSync(join(releases, version, name), { force: true });
  }
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
