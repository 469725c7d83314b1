import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { LOCAL_MINIFLARE } from '../../../../scripts/local-miniflare.ts';
import { freePort } from '../../../scripts/support/processes.ts';
import { openStores } from './plugin.ts';

/** All D1 databases and KV namespaces, in a workerd of their own, since they outlive the versions of the Workers. */
export interface Stores {
  /** Runs statements in one transaction. Returns a result for each; throws an `Error` with the reason of SQLite. */
  query(databaseId: string, statements: readonly Statement[]): Promise<StatementResult[]>;
  /** The addresses for `bindFar`, such as `127.0.0.1:1234`. Starts the workerd, if it does not run. */
  addresses(): Promise<{ readonly d1: string; readonly kv: string }>;
  close(): Promise<void>;
}

export interface Statement {
  readonly sql: string;
  readonly params?: readonly unknown[];
}

export interface StatementResult {
  readonly success: true;
  readonly results: readonly Record<string, unknown>[];
  readonly meta: { readonly duration: number; readonly rows_read: number; readonly rows_written: number };
}

/** The header by which the services of Miniflare learn the id of a store. */
export const STORE_HEADER = 'MF-Namespace';

/** The options of all instances of Miniflare: no files, no requests to the internet, and only warnings are printed. */
export const QUIET_MINIFLARE = {
  ...LOCAL_MINIFLARE,
  host: '127.0.0.1',
  log: new Log(LogLevel.WARN),
} as const;

export function createStores(): Stores {
  // Another program may have taken a port meanwhile: the second attempt gets other ones.
  let started: ReturnType<typeof start> | undefined;
  const running = () => (started ??= start().catch(() => start()));
  return {
    addresses: async () => (await running()).addresses,

    async query(databaseId, statements) {
      const { addresses } = await running();
      const response = await fetch(`http://${addresses.d1}/query`, {
        method: 'POST',
        headers: { [STORE_HEADER]: databaseId, 'Content-Type': 'application/json' },
        body: JSON.stringify(statements),
      });
      const answer = (await response.json()) as StatementResult[] | { readonly error: string };
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },

    async close() {
      if (started !== undefined) await (await started).miniflare.dispose();
    },
  };
}

async function start() {
  const addresses = { d1: `127.0.0.1:${await freePort()}`, kv: `127.0.0.1:${await freePort()}` };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...QUIET_MINIFLARE,
      workers: [
        {
          name: 'stores',
          modules: true,
          script: 'export default {};',
          // Miniflare starts the services of databases and namespaces for a Worker that has one of each.
          d1Databases: { D1: 'none' },
          kvNamespaces: { KV: 'none' },
          unsafeBindings: openStores(addresses),
        },
      ],
    }),
  );
  await miniflare.ready;
  return { miniflare, addresses };
}
