import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { readOrMake } from './kept.ts';

type ServerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'];

/** What Miniflare needs of wrangler.toml to open the stores of the service. */
export interface LocalOptions {
  readonly name: string;
  readonly compatibilityDate: string | undefined;
  readonly compatibilityFlags: readonly string[];
  readonly stores: Pick<
    ServerOptions,
    'd1Databases' | 'kvNamespaces' | 'ratelimits' | 'versionMetadata' | 'durableObjects'
  >;
}

/** What they are read from, by which wrangler, and what is read. */
export const SOURCES = ['wrangler.toml', 'package-lock.json', 'scripts/local-options.ts'];

/** wrangler's reading of wrangler.toml. It is kept, since loading wrangler is half of what a tool does. */
export function readLocalOptions(root: string): Promise<LocalOptions> {
  return readOrMake({
    root,
    name: 'local-options',
    sources: SOURCES,
    read: (path) => JSON.parse(readFileSync(path, 'utf8')) as LocalOptions,
    make: () => askWrangler(root),
    write: (path, options) => writeFileSync(path, JSON.stringify(options)),
  });
}

async function askWrangler(root: string): Promise<LocalOptions> {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') });
  // Wrangler looks for .dev.vars beside this path. A tool needs no secrets, and wrangler prints that it uses them.
  const userConfigPath = join(root, 'node_modules/wrangler.toml');
  const { d1Databases, kvNamespaces, ratelimits, versionMetadata, durableObjects } = unstable_getMiniflareWorkerOptions(
    { ...config, userConfigPath },
  ).workerOptions;
  return {
    name: config.name ?? 'terse',
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    stores: { d1Databases, kvNamespaces, ratelimits, versionMetadata, durableObjects },
  };
}
