import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'shielded-workerd.sh');

/**
 * Lets Miniflare start a workerd that only this process ends: a terminal sends SIGINT and SIGHUP to both, and workerd would
 * end with the clicks that are not stored yet.
 */
export function shieldWorkerd(): void {
  if (process.platform === 'win32' || !isExecutable(SCRIPT)) return;
  const { default: path } = createRequire(import.meta.resolve('miniflare'))('workerd') as { readonly default: string };
  Object.assign(process.env, { WORKERD_PATH: path, MINIFLARE_WORKERD_PATH: SCRIPT });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
