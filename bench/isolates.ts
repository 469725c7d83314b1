import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { migrateDatabase } from '../scripts/database.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/service-database.ts';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { build } from './build.ts';
import { readWorkerOptions } from './contestant.ts';
import type { Sandbox } from './sandbox.ts';
import { modulesOf } from '../scripts/worker-modules.ts';

/** Two isolates of a Worker, built as for a deploy, with the same database, the same KV and the same Durable Objects. */
export interface Isolates {
  /** The origin of the isolate that changes links, and of the other one. */
  readonly one: string;
  readonly other: string;
  readonly db: Database;
  readonly kv: { get(key: string): Promise<string | null>; put(key: string, value: string): Promise<void> };
  close(): Promise<void>;
}

const NAMES = ['one', 'other'] as const;

/** Starts both in one miniflare, each reached without a proxy. */
export async function startIsolates(
  sandbox: Sandbox,
  vars: Readonly<Record<string, string>>,
  main = 'src/index.ts',
): Promise<Isolates> {
  const path = await build(sandbox, main);
  // A queue has only one consumer, and clicks are not counted here.
  const { bindings, durableObjects, queueConsumers: _, ...options } = readWorkerOptions(sandbox);
  const secrets = { TOKEN_KEYS: JSON.stringify([await generateTokenKey()]) };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      workers: NAMES.map((name) => ({
        ...options,
        // The objects run in the first one, as those of a deployed Worker run in one place each.
        durableObjects: Object.fromEntries(
          Object.entries(durableObjects).map(([binding, each]) => [binding, { ...each, scriptName: NAMES[0] }]),
        ),
        bindings: { ...bindings, ...secrets, ...vars },
        name,
        ...modulesOf(path),
        unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      })),
    }),
  );
  await miniflare.ready;
  const db = openDatabase(await miniflare.getD1Database('DB', 'one'));
  await migrateDatabase(db);
  const [one, other] = [await miniflare.unsafeGetDirectURL('one'), await miniflare.unsafeGetDirectURL('other')];
  const kv = await miniflare.getKVNamespace('LINKS', 'one');
  return {
    one: one.origin,
    other: other.origin,
    db,
    kv: { get: (key) => kv.get(key, 'text'), put: (key, value) => kv.put(key, value) },
    close: () => miniflare.dispose(),
  };
}
