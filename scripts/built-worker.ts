import { cpSync } from 'node:fs';
import { readOrMake } from './build-cache.ts';

/**
 * The sources of a Worker: its own files, those whose hashes it has, the settings and the commands of the build, and
 * all packages.
 */
export const SOURCES = [
  'src',
  'browser',
  'public/assets',
  'scripts/assets.mjs',
  'scripts/build-worker.mjs',
  'scripts/worker-build',
  'scripts/viewer.mjs',
  'scripts/edge',
  'scripts/local-edge.ts',
  'scripts/edge',
  'scripts/server.ts',
  'wrangler.toml',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/**
 * Copies the Worker that was built from the current files to a folder, or builds it there. A build takes seconds, and a
 * second start needs none.
 *
 * @param root the project's folder
 * @param folder an empty folder
 * @param build writes the Worker to the folder
 */
export function reuseOrBuild(root: string, folder: string, build: () => Promise<void>): Promise<void> {
  return readOrMake({
    root,
    name: 'worker',
    sources: SOURCES,
    read: (path) => cpSync(path, folder, { recursive: true }),
    make: build,
    write: (path) => cpSync(folder, path, { recursive: true }),
  });
}
