import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** True if the sources of a copy of the project pass `tsc`, which is a part of `npm test`. */
export async function passesTypeCheck(folder: string, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const child = spawn(join(folder, 'node_modules/.bin/tsc'), { cwd: folder, stdio: 'ignore', signal });
  child.on('error', () => {});
  const [code] = (await once(child, 'close')) as [number | null];
  signal.throwIfAborted();
  return code === 0;
}
