import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { LOCAL_MINIFLARE } from '../../../scripts/local-miniflare.ts';
import { createStateFolder } from '../../../scripts/state.ts';
import { unpackWorker, type Release } from './releases.ts';

/** The Worker of a release, with the settings of that release, on the data of a folder. */
export interface ReleaseWorker {
  readonly origin: string;
  /** The problems that it has logged. */
  problems(): readonly string[];
  /** Does what the platform does daily, and returns its outcome, `ok` or `exception`. */
  runDaily(): Promise<string>;
  end(): Promise<void>;
}

const DAILY = '17 4 * * *';

/** Starts the Worker of a release, and resolves once it answers. */
export async function startReleaseWorker(release: Release, persistTo: string): Promise<ReleaseWorker> {
  const { module, config: path } = unpackWorker(release);
  const config = unstable_readConfig({ config: path });
  const { modulesRules: _, bindings, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const problems: string[] = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...LOCAL_MINIFLARE,
      host: '127.0.0.1',
      resourcePersistencePath: createStateFolder(persistTo),
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error' || level === 'warn') problems.push(message);
      },
      workers: [
        {
          ...options,
          name: config.name ?? 'terse',
          bindings: { ...(bindings as object), TOKEN_KEYS: release.known.tokenKeys },
          modules: [{ type: 'ESModule', path: module }],
          modulesRoot: '/',
          // No test asks other machines.
          outboundService: () => new Response(null, { status: 502 }),
        },
      ],
    }),
  );
  const { origin } = await miniflare.ready;
  return {
    origin,
    problems: () => problems,
    runDaily: async () => (await (await miniflare.getWorker()).scheduled({ cron: DAILY })).outcome,
    end: () => miniflare.dispose(),
  };
}
