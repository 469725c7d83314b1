import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from './cli-error.ts';

/**
 * Builds a Worker by `build-worker.mjs`, and returns the path of its entry. Throws a `UsageError` with esbuild's reason.
 *
 * @param root the folder of a project
 * @param entry its TypeScript, from that folder
 * @param folder where its modules are written
 */
export async function buildModules(root: string, entry: string, folder: string): Promise<string> {
  const builder = spawn(process.execPath, [join(root, 'scripts/build-worker.mjs'), entry, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  builder.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(builder, 'close');
  if (code !== 0) throw new UsageError(`The Worker cannot be built: ${said.trim() || 'esbuild did not say why'}.`);
  return join(folder, `${basename(entry, '.ts')}.mjs`);
}

/** The modules of a built Worker, its entry first, as Miniflare takes them. */
export function modulesOf(entry: string) {
  const folder = dirname(entry);
  const others = readdirSync(folder).filter((name) => /\.m?js$/.test(name) && name !== basename(entry));
  const paths = [entry, ...others.map((name) => join(folder, name))];
  return { modules: paths.map((path) => ({ type: 'ESModule' as const, path })), modulesRoot: folder };
}
