import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { reuseOrBuild } from './built-worker.ts';
import { endWorkerdWithThis } from './children.ts';
import { connectToFront } from './edge-socket.ts';
import { runCrons } from './local-crons.ts';
import { LOCAL_MINIFLARE } from './local-miniflare.ts';
import { readLocalOptions } from './local-options.ts';
import { buildModules, modulesOf } from './worker-modules.ts';

/** The Worker on this machine: in workerd, with the bindings of wrangler.toml, built like by `npm run deploy`. */

interface ServerOptions {
  readonly port: number;
  /** The address to listen on, or `localhost` for both loopback addresses. */
  readonly host: string;
  /** The folder that `createStateFolder` returns. */
  readonly stateFolder: string;
  /** The entry that `buildWorker` has built. */
  readonly module: string;
  /** Secrets, and settings that override those of wrangler.toml. */
  readonly vars: Readonly<Record<string, string>>;
  /** Aborts when the server begins to stop: no cron begins after that. */
  readonly stopping: AbortSignal;
}

const ENTRY = 'scripts/local-edge.ts';

/**
 * Builds the Worker like a deploy, with `front` before it, unless it was built from the same files before, and returns
 * the path of its entry. Throws a `UsageError` with esbuild's reason.
 *
 * @param folder the folder for the modules
 */
export async function buildWorker(folder: string): Promise<string> {
  await reuseOrBuild(process.cwd(), folder, async () => void (await buildModules(process.cwd(), ENTRY, folder)));
  return join(folder, 'local-edge.mjs');
}

/**
 * Starts the Worker, and resolves once it answers. `wrangler dev` is not used, since it does more: it runs SQL for any
 * program on this machine, runs the cron at a request, stores the URL of each request in a store of traces, and prints
 * paths, some of which contain tokens.
 */
export async function startServer(options: ServerOptions): Promise<Miniflare> {
  const { port, host, stateFolder, module, vars, stopping } = options;
  const {
    name,
    crons,
    worker: { bindings, ...workerOptions },
  } = await readLocalOptions(process.cwd());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      // Miniflare's own port, through which this program reaches the database. Visitors use the port of `front`.
      ...LOCAL_MINIFLARE,
      host: isIPv6(host) ? '::1' : '127.0.0.1',
      resourcePersistencePath: stateFolder,
      log: new Log(LogLevel.WARN),
      handleStructuredLogs: ({ level, message }) => {
        const line = asLogLine(level, message);
        if (level === 'error' || level === 'warn') console.error(line);
        else console.log(line);
      },
      workers: [
        {
          ...workerOptions,
          name,
          bindings: { ...(bindings as object), ...vars },
          ...modulesOf(module),
          ...connectToFront(host, port),
        },
      ],
    }),
  );
  await miniflare.ready;
  // Starts the thread by which Miniflare asks workerd synchronously: from then on no stop can come between the start of a
  // cron and its request.
  await miniflare.getWorker();
  runCrons(miniflare, crons, stopping);
  process.once('exit', endWorkerdWithThis());
  return miniflare;
}

/**
 * One line of the log, as JSON. The Worker's own lines are JSON already; those of workerd itself, such as the one about
 * a CONNECT, are plain text.
 */
function asLogLine(level: string, message: string): string {
  return message.startsWith('{"level":') ? message : JSON.stringify({ level, event: 'runtime', detail: message });
}
