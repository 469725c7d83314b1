import type { Miniflare } from 'miniflare';
import { endWorkerdWithThis } from './children.ts';
import { readLocalOptions, type LocalOptions } from './local-options.ts';

/**
 * The options of each local workerd: no port but its own, no doors for developers, by which a web page could read or
 * run something, no sample of `request.cf` from the internet, and no line for each request.
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
 * @param optionsOf its modules, and the stores that it needs of those in wrangler.toml
 */
export async function startLocalWorker(
  stateFolder: string,
  optionsOf: (stores: LocalOptions['worker']) => object | Promise<object>,
): Promise<LocalWorker> {
  // Loaded here, since a tool that refuses its input does not need it.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare');
  const { name, worker } = await readLocalOptions(process.cwd());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...LOCAL_MINIFLARE,
      resourcePersistencePath: stateFolder,
      log: new Log(LogLevel.WARN),
      workers: [
        {
          name,
          compatibilityDate: worker.compatibilityDate,
          compatibilityFlags: worker.compatibilityFlags,
          ...(await optionsOf(worker)),
        } as never,
      ],
    }),
  );
  await readyOrDisposed(miniflare);
  const callOff = endWorkerdWithThis();
  return {
    miniflare,
    end: async () => {
      await miniflare.dispose();
      callOff();
    },
  };
}

/** Waits until a Miniflare has started, and ends it if it does not. */
export async function readyOrDisposed(miniflare: Miniflare): Promise<void> {
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}
