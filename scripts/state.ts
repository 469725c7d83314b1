import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from './cli-error.ts';
import { keepPrivate, makeFolders } from './private-folder.ts';

/**
 * Creates the folder of the stores below `--persist-to`, which only its owner can open, and returns its path, since
 * Miniflare would hang without it. Throws a `UsageError` if the folder cannot be created.
 */
export function createStateFolder(persistTo: string): string {
  const folder = join(resolve(persistTo), 'v3');
  try {
    makeFolders(folder);
    keepPrivate(resolve(persistTo));
    return folder;
  } catch (cause) {
    throw noDataIn(persistTo, cause);
  }
}

/** The error for a folder that cannot be written. */
export function noDataIn(persistTo: string, cause: unknown): UsageError {
  return new UsageError(`The folder ${persistTo} cannot be written: choose another with --persist-to DIR.`, {
    cause,
  });
}

/**
 * Makes wrangler and miniflare keep their own files beside the data, so that they need neither a writable home nor a
 * folder for temporary files. Returns the folder for temporary files. Not for commands that need the sign-in to
 * Cloudflare, which is in the home.
 *
 * @param isAlone whether this process has the lock of the state; then it removes files that killed processes have left
 */
export function keepFilesBeside(persistTo: string, { isAlone }: { readonly isAlone: boolean }): string {
  const config = join(resolve(persistTo), 'config');
  const temporary = join(resolve(persistTo), 'tmp');
  try {
    if (isAlone) rmSync(temporary, { recursive: true, force: true });
    for (const folder of [config, temporary]) mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw noDataIn(persistTo, cause);
  }
  Object.assign(process.env, { XDG_CONFIG_HOME: config, TMPDIR: temporary, TEMP: temporary, TMP: temporary });
  return temporary;
}

const originFile = (persistTo: string): string => join(resolve(persistTo), 'last-origin');

/** Stores the origin at which a state is served. */
export function keepOrigin(persistTo: string, origin: string): void {
  writeFileSync(originFile(persistTo), `${origin}\n`);
}

/** The origin at which a state was last served, such as `http://localhost:8787`; null if it never was. */
export function readLastOrigin(persistTo: string): string | null {
  try {
    return URL.parse(readFileSync(originFile(persistTo), 'utf8'))?.origin ?? null;
  } catch {
    return null;
  }
}
