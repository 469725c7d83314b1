import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { experimental_readRawConfig } from 'wrangler';
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
 * Builds a Worker exactly as a deploy would, and returns the path of its one module.
 *
 * @param isTerse whether it exports the Durable Objects of wrangler.toml
 */
export async function build(sandbox: Sandbox, entry: string, isTerse = true): Promise<string> {
  const name = entry.replace(/\.ts$/, '');
  const folder = join(sandbox.folder, name);
  const config = isTerse ? 'wrangler.toml' : writeConfigWithoutObjects(sandbox);
  await runWranglerIn(sandbox, ['deploy', resolve(entry), '--config', config, '--dry-run', '--outdir', folder]);
  return join(folder, `${name.split('/').at(-1)}.js`);
}

// wrangler refuses a Worker that does not export what the configuration binds.
function writeConfigWithoutObjects({ folder }: Sandbox): string {
  const { rawConfig } = experimental_readRawConfig({ config: 'wrangler.toml' });
  const { durable_objects: _, exports: __, assets, ...config } = rawConfig;
  const file = join(folder, 'wrangler.json');
  const directory = resolve(assets?.directory ?? '');
  writeFileSync(
    file,
    JSON.stringify({ ...config, main: resolve(config.main ?? ''), assets: { ...assets, directory } }),
  );
  return file;
}
