import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { build as Build } from 'esbuild';
import * as z from 'zod';
import type { OperatorBindings } from '../src/operator/operator.ts';
import type { StoredLimit, StoredStatistics } from '../src/operator/objects.ts';
import { startLocalWorker, type LocalWorker } from './local-miniflare.ts';
import type { ObjectCall } from './objects-worker.ts';

/** The Durable Objects of a local state, for a tool that runs without a server. */
export interface StoredObjects {
  readonly statistics: OperatorBindings['STATISTICS'];
  readonly limits: OperatorBindings['LIMITS'];
  close(): Promise<void>;
}

/**
 * Opens the objects. workerd starts with the first call, since most commands need none. It has no other store open, so that
 * no two processes work on one file.
 *
 * @param stateFolder what `createStateFolder` returns
 */
export function openStoredObjects(stateFolder: string): StoredObjects {
  let started: Promise<LocalWorker> | undefined;
  const call = async (sent: ObjectCall): Promise<unknown> => {
    const { miniflare } = await (started ??= start(stateFolder));
    const response = await miniflare.dispatchFetch('http://objects/', { method: 'POST', body: JSON.stringify(sent) });
    const outcome = outcomes.parse(await response.json());
    if ('fault' in outcome) throw new Error(outcome.fault);
    return outcome.answer;
  };
  const objectOf = (binding: ObjectCall['binding'], name: string, methods: readonly string[]) =>
    Object.fromEntries(
      methods.map((method) => [method, (...args: readonly unknown[]) => call({ binding, name, method, args })]),
    ) as never;
  return {
    statistics: { getByName: (client) => objectOf('STATISTICS', client, STATISTICS_METHODS) },
    limits: { getByName: (link) => objectOf('LIMITS', link, LIMIT_METHODS) },
    async close() {
      await (await started)?.end();
    },
  };
}

const outcomes = z.union([z.object({ answer: z.unknown() }), z.object({ fault: z.string() })]);

const STATISTICS_METHODS = ['beginLoad', 'endLoad', 'erase', 'exportPage', 'load'] satisfies (keyof StoredStatistics)[];
const LIMIT_METHODS = ['count', 'load'] satisfies (keyof StoredLimit)[];

const requireOfWrangler = createRequire(import.meta.resolve('wrangler/package.json'));

let built: Promise<string> | undefined;

/** The module of `objects-worker.ts`. */
const moduleOnce = (): Promise<string> => (built ??= buildModule());

async function buildModule(): Promise<string> {
  // The one that wrangler builds the Worker with. wrangler itself would take two seconds.
  const { build }: { readonly build: typeof Build } = requireOfWrangler('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'objects-worker.ts')],
    bundle: true,
    format: 'esm',
    external: ['cloudflare:*', 'node:*'],
    write: false,
  });
  return outputFiles[0]!.text;
}

const start = (stateFolder: string): Promise<LocalWorker> =>
  startLocalWorker(stateFolder, async ({ durableObjects }) => ({
    durableObjects,
    modules: [{ type: 'ESModule', path: 'objects-worker.js', contents: await moduleOnce() }],
  }));
