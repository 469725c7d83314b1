import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import type * as operator from '../src/accounts/operator.ts';
import type { Database, Results, Statement } from '../src/database/database.ts';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { migrateDatabase } from '../scripts/database.ts';
import { readMigrations } from '../scripts/migrations/files.ts';
import { build } from './build.ts';
import { RpcChild } from './child-rpc.ts';
import { CLIENT_ID } from './links.ts';
import type { ServerTasks } from './server.ts';
import type { Sandbox } from './sandbox.ts';

/** A Worker that is measured, in processes of its own. */
export interface Contestant {
  readonly name: string;
  readonly origin: string;
  /** Its process; the processes that it has started count as its own. */
  readonly pid: number;
  /** The secret by which it signs, `d` of its one key. */
  readonly secret: string;
  /** Its database, for the bench. */
  readonly db: Database;
  put(key: string, value: string): Promise<void>;
  /** Delivers messages to its consumer, as one batch of the queue. Throws if the consumer does not take them all. */
  consume(bodies: readonly unknown[]): Promise<void>;
  /** The memory that the isolate of an inspected contestant keeps, in bytes. */
  heapBytes(): Promise<number>;
  /**
   * Begins to sample the heap, including garbage. Resolves to the function that stops and returns the largest sample.
   */
  watchHeap(): Promise<() => Promise<number>>;
  /** Ends its processes. */
  end(): Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly main: string;
  /** The folder of the project's files, with its settings; this project's by default. */
  readonly root?: string;
  /** True if `main` was built before. */
  readonly isBuilt?: boolean;
  /** Settings that differ from wrangler.toml. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly isInspected?: boolean;
  /** True if the problems that it logs are expected, and not shown. */
  readonly isSilent?: boolean;
  /** True if the queue delivers its messages, rather than dropping them. */
  readonly isConsuming?: boolean;
  /** The time that the queue waits for a batch, instead of the time in wrangler.toml. */
  readonly batchSeconds?: number;
  /** The folder of its stores, which stay when it ends. */
  readonly stateFolder?: string;
}

/** Builds and starts a contestant. All of them get the bindings and the settings of wrangler.toml. */
export async function startContestant(
  sandbox: Sandbox,
  {
    name,
    main,
    root = '.',
    isBuilt = false,
    vars,
    isInspected = false,
    isSilent = false,
    isConsuming = true,
    batchSeconds,
    stateFolder,
  }: Entry,
  prefix: readonly string[],
): Promise<Contestant> {
  const path = isBuilt ? main : await build(sandbox, main, root);
  const { bindings, queueConsumers, ...options } = readWorkerOptions(sandbox, root);
  const consumers = Object.entries(queueConsumers).map(([queue, consumer]) => [
    queue,
    { ...consumer, ...(batchSeconds !== undefined && { maxBatchTimeout: batchSeconds }) },
  ]);
  const key = await generateTokenKey();
  const secrets = { TOKEN_KEYS: JSON.stringify([key]) };
  const child = new RpcChild<ServerTasks>(sandbox, 'bench/server.ts', prefix);
  const origin = await child.ask('start', {
    options: {
      ...options,
      ...(isConsuming && { queueConsumers: Object.fromEntries(consumers) }),
      bindings: { ...bindings, ...secrets, CREATE_LIMITING: 'off', ...vars },
    },
    path,
    isInspected,
    isSilent,
    ...(stateFolder !== undefined && { stateFolder }),
  });
  return {
    name,
    origin,
    pid: child.pid,
    secret: key.d ?? '',
    db: databaseOf(child),
    heapBytes: () => child.ask('heapBytes'),
    watchHeap: async () => {
      await child.ask('watchHeap');
      return () => child.ask('mostHeapBytes');
    },
    put: (key, value) => child.ask('put', key, value),
    end: () => child.end(),
    consume: (bodies) => child.ask('consume', bodies),
  };
}

// Wrangler looks for .dev.vars beside the configuration, so the configuration is copied: a developer's settings there
// must not count. Asset routing is left out, since it would put a Worker of miniflare's before each contestant.
export function readWorkerOptions({ folder }: Sandbox, root = '.'): WorkerOptions {
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') });
  const { workerOptions } = unstable_getMiniflareWorkerOptions({
    ...config,
    assets: undefined,
    userConfigPath: join(folder, 'wrangler.toml'),
  });
  const { modulesRules: _, bindings, durableObjects = {}, queueConsumers = {}, ...options } = workerOptions;
  return {
    ...options,
    bindings: { ...(bindings as object) },
    durableObjects: durableObjects as Objects,
    queueConsumers: queueConsumers as Consumers,
  };
}

type Consumers = Readonly<Record<string, object>>;
type Objects = Readonly<Record<string, { readonly className: string }>>;

interface WorkerOptions {
  readonly bindings: object;
  readonly queueConsumers: Consumers;
  /** By their bindings. */
  readonly durableObjects: Objects;
}

function databaseOf(child: RpcChild<ServerTasks>): Database {
  const batch = async <Rows extends readonly unknown[]>(statements: readonly Statement[]): Promise<Results<Rows>> =>
    (await child.ask('batch', statements)) as Results<Rows>;
  return { batch, first: async <Row>(statement: Statement) => (await batch<[Row]>([statement]))[0][0] ?? null };
}

/** A Terse with an account. */
export interface Service extends Contestant {
  readonly apiKey: string;
  readonly accessToken: string;
}

/** Starts Terse itself, or an entry that wraps it, with its tables and one account. */
export async function startService(sandbox: Sandbox, entry: Entry, prefix: readonly string[]): Promise<Service> {
  const contestant = await startContestant(sandbox, entry, prefix);
  const { db, origin } = contestant;
  const root = entry.root ?? '.';
  await migrateDatabase(db, readMigrations(join(root, 'migrations')));
  // An earlier commit has other tables.
  const { addUser, createKey } = (await import(
    pathToFileURL(resolve(root, 'src/accounts/operator.ts')).href
  )) as typeof operator;
  await addUser(db, { name: 'bench', password: 'bench', clientId: CLIENT_ID });
  const key = await createKey(db, CLIENT_ID, 'bench');
  const headers = { Authorization: `Basic ${btoa('bench:bench')}` };
  const response = await fetch(`${origin}/tokens/create_token`, { headers });
  if (key === null || response.status !== 201)
    throw new Error(`${entry.name} returned no token: ${await response.text()}`);
  const { access_token: accessToken } = (await response.json()) as { access_token: string };
  return { ...contestant, apiKey: key.text, accessToken };
}

/** Signs the service's user in, and returns the cookie of the session. */
export async function signIn({ name, origin }: Service): Promise<string> {
  const response = await fetch(`${origin}/platform/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ name: 'bench', password: 'bench' }),
  });
  const [cookie = ''] = response.headers.get('Set-Cookie')?.split(';') ?? [];
  if (response.status !== 303) throw new Error(`${name} did not sign in: ${await response.text()}`);
  return cookie;
}

/** The number of clicks that a service has counted. */
export async function countedClicks({ origin, apiKey }: Service): Promise<number> {
  const response = await fetch(`${origin}/v1/stats`, { headers: { 'X-API-Key': apiKey } });
  if (!response.ok) throw new Error(`Statistics returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { total: number }).total;
}
