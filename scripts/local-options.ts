import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { readOrMake } from './kept.ts';

type WorkerOptions = Omit<
  ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'],
  'modulesRules' | 'rootPath'
>;

/** What wrangler reads in wrangler.toml. */
export interface LocalOptions {
  readonly name: string;
  readonly crons: readonly string[];
  /** The Worker's bindings, settings, queues and assets, as Miniflare takes them; without secrets. */
  readonly worker: WorkerOptions;
}

/** What they are read from, by which wrangler, and what is read. */
export const SOURCES = ['wrangler.toml', 'package-lock.json', 'scripts/local-options.ts'];

/** wrangler's reading of wrangler.toml. It is kept, since loading wrangler is half of what a tool does. */
export async function readLocalOptions(root: string): Promise<LocalOptions> {
  const { worker, ...options } = await readOrMake({
    root,
    name: 'local-options',
    sources: SOURCES,
    read: (path) => parse(readFileSync(path, 'utf8')),
    make: async () => parse(JSON.stringify(await askWrangler(root))),
    write: (path, read) => writeFileSync(path, JSON.stringify(read)),
  });
  return { ...options, worker: withAssets(worker, (directory) => join(root, directory)) };
}

const parse = (text: string) => JSON.parse(text) as LocalOptions;

async function askWrangler(root: string): Promise<LocalOptions> {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') });
  // Wrangler looks for .dev.vars beside this path. What is kept has no secrets, and wrangler prints that it uses them.
  const userConfigPath = join(root, 'node_modules/wrangler.toml');
  const {
    modulesRules: _,
    rootPath: _path,
    ...worker
  } = unstable_getMiniflareWorkerOptions({ ...config, userConfigPath }).workerOptions;
  return {
    name: config.name ?? 'terse',
    crons: config.triggers.crons ?? [],
    // Copies of the project share what is kept. wrangler may add variables of its environment to the settings.
    worker: withAssets({ ...worker, bindings: config.vars }, (directory) => relative(root, directory)),
  };
}

// The type of wrangler does not say what assets are.
function withAssets(worker: WorkerOptions, pathOf: (directory: string) => string): WorkerOptions {
  const { assets } = worker as { readonly assets?: { readonly directory: string } };
  return assets === undefined ? worker : { ...worker, assets: { ...assets, directory: pathOf(assets.directory) } };
}
