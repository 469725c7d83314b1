import { join } from 'node:path';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';

/** Sends its parent what wrangler reads in the wrangler.toml of a folder, as `LocalOptions`. It has no secrets. */

const root = process.argv[2] ?? '';
const config = unstable_readConfig({ config: join(root, 'wrangler.toml') });
// Wrangler looks for .dev.vars beside this path, and prints that it uses them.
const userConfigPath = join(root, 'node_modules/wrangler.toml');
const {
  modulesRules: _,
  rootPath: _path,
  ...worker
} = unstable_getMiniflareWorkerOptions({ ...config, userConfigPath }).workerOptions;
// wrangler may add variables of its environment to the settings.
process.send?.({
  name: config.name ?? 'terse',
  crons: config.triggers.crons ?? [],
  worker: { ...worker, bindings: config.vars },
});
