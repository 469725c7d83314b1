import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { readOrMake } from './build-cache.ts';

type WorkerOptions = Omit<
  ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'],
  'modulesRules' | 'rootPath'
>;

/** The settings that wrangler reads in wrangler.toml. */
export interface LocalOptions {
  readonly name: string;
  readonly crons: readonly string[];
  /** The Worker's bindings, settings, queues and assets, as Miniflare takes them; without secrets. */
  readonly worker: WorkerOptions;
}

/** The sources of the options, and of the script that reads them. */
export const SOURCES = ['wrangler.toml', 'package-lock.json', 'scripts/local-options.ts', 'scripts/ask-wrangler.ts'];

/** wrangler's reading of wrangler.toml. It is kept, since loading wrangler is half of what a tool does. */
export async function readLocalOptions(root: string): Promise<LocalOptions> {
  const { worker, ...options } = await readOrMake({
    root,
    name: 'local-options',
    sources: SOURCES,
    read: (path) => parse(readFileSync(path, 'utf8')),
    make: () => askWrangler(root),
    write: (path, read) => writeFileSync(path, JSON.stringify(read)),
  });
  return { ...options, worker: withAssets(worker, (directory) => join(root, directory)) };
}

const parse = (text: string) => JSON.parse(text) as LocalOptions;

// In a process of its own, since wrangler takes 120 MB, which a server would keep.
async function askWrangler(root: string): Promise<LocalOptions> {
  const child = fork(join(import.meta.dirname, 'ask-wrangler.ts'), [root], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [read, [code]] = await Promise.all([firstMessage(child), once(child, 'close')]);
  if (read === null) throw new Error(`wrangler cannot read wrangler.toml, and exits with ${code}`);
  const { name, crons, worker } = read as LocalOptions;
  // Copies of the project share what is kept.
  return { name, crons, worker: withAssets(worker, (directory) => relative(root, directory)) };
}

function firstMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.once('close', () => resolve(null));
  });
}

// The type of wrangler does not say what assets are.
function withAssets(worker: WorkerOptions, pathOf: (directory: string) => string): WorkerOptions {
  const { assets } = worker as { readonly assets?: { readonly directory: string } };
  return assets === undefined ? worker : { ...worker, assets: { ...assets, directory: pathOf(assets.directory) } };
}
