import { join } from 'node:path';

/**
 * What each local workerd has: no port but its own, no doors for developers, by which a web page could read or run
 * something, no sample of `request.cf` from the internet, and no line for each request.
 */
export const LOCAL_MINIFLARE = {
  port: 0,
  cf: false,
  logRequests: false,
  unsafeLocalExplorer: false,
  unsafeObservability: false,
  unsafeTriggerHandlers: false,
} as const;

/**
 * Reads the Worker's options for Miniflare from wrangler.toml, without the secrets in .dev.vars: a tool needs none, and
 * wrangler prints that it uses them.
 *
 * @param folder one that has no .dev.vars
 */
export async function readWorkerOptions(folder: string) {
  // Loading it takes time that most commands do not need.
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: 'wrangler.toml' });
  const { workerOptions } = unstable_getMiniflareWorkerOptions({
    ...config,
    userConfigPath: join(folder, 'wrangler.toml'),
  });
  return { config, workerOptions };
}
