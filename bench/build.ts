import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildModules } from '../scripts/worker-modules.ts';
import { startWrangler } from '../scripts/wrangler.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs wrangler to its end. Throws its output if it fails. */
export function runWranglerIn(sandbox: Sandbox, args: readonly string[]): Promise<void> {
  const child = sandbox.adopt(startWrangler(args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`wrangler ${args.join(' ')} failed:\n${said}`));
    });
  });
}

/**
 * Builds a Worker exactly as a deploy would, once, and returns the path of its entry; of an earlier revision, whose
 * bundler is wrangler's, that of its one module.
 *
 * @param root the folder of the project's files; this project's by default
 */
export async function build(sandbox: Sandbox, entry: string, root = '.'): Promise<string> {
  const name = entry.replace(/\.ts$/, '');
  const folder = join(sandbox.folder, root === '.' ? '' : `built-${basename(root)}`, name);
  const former = join(folder, `${name.split('/').at(-1)}.js`);
  const module = former.replace(/js$/, 'mjs');
  const built = [module, former].find((path) => existsSync(path));
  if (built !== undefined) return built;
  if (existsSync(join(root, 'scripts/build-worker.mjs'))) return buildModules(resolve(root), entry, resolve(folder));
  const config = join(root, 'wrangler.toml');
  await runWranglerIn(sandbox, ['deploy', join(root, entry), '--config', config, '--dry-run', '--outdir', folder]);
  return former;
}
