import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { endWorkerdWithThis } from './children.ts';

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

/** A Worker that runs on the stores of a state for a tool. */
export interface LocalWorker {
  readonly miniflare: Miniflare;
  end(): Promise<void>;
}

/**
 * Starts a Worker on the stores of a state. It has the name of the server's, by which the files of objects are found.
 * Throws what workerd says.
 *
 * @param optionsOf its modules, and those of the server's options for Miniflare that it needs
 */
export async function startLocalWorker(
  stateFolder: string,
  optionsOf: (server: ServerOptions) => object | Promise<object>,
): Promise<LocalWorker> {
  // Half of a tool's time is loading these, which a tool that refuses its input does not need.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare');
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler');
  const config = unstable_readConfig({ config: 'wrangler.toml' });
  // Wrangler looks for .dev.vars beside this path. A tool needs no secrets, and wrangler prints that it uses them.
  const userConfigPath = join(stateFolder, 'wrangler.toml');
  const { workerOptions } = unstable_getMiniflareWorkerOptions({ ...config, userConfigPath });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...LOCAL_MINIFLARE,
      resourcePersistencePath: stateFolder,
      log: new Log(LogLevel.WARN),
      workers: [
        {
          name: config.name ?? 'terse',
          compatibilityDate: config.compatibility_date,
          compatibilityFlags: config.compatibility_flags,
          ...(await optionsOf(workerOptions)),
        } as never,
      ],
    }),
  );
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
  const callOff = endWorkerdWithThis();
  return {
    miniflare,
    end: async () => {
      await miniflare.dispose();
      callOff();
    },
  };
}

type ServerOptions = ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'];
