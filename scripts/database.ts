import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Unstable_Config } from 'wrangler';
import { openDatabase, type Database, type Statement } from '../src/database.ts';
import type { OperatorBindings } from '../src/operator/operator.ts';
import { UsageError } from './fail.ts';
import { keepFilesBeside, makeStateFolder } from './state.ts';
import { upgrade } from './upgrade.ts';
import { faultOf, QUIET_WRANGLER, runWrangler } from './wrangler.ts';

/** Where the tools find the database: the local one of `wrangler dev`, or the deployed one. */
export interface Place {
  readonly remote: boolean;
  /** The folder given to `wrangler dev --persist-to`, or its default. */
  readonly persistTo: string;
}

export const DEFAULT_PERSIST_TO = '.wrangler/state';

/**
 * Opens the same D1 database that the Worker uses, through a real binding, for as long as `work` takes. What an operator
 * can cure is told as a `UsageError`.
 */
export function withDatabase<T>(place: Place, work: (db: Database) => Promise<T>): Promise<T> {
  return withBindings(place, ['d1_databases'], ({ db }) => work(db));
}

/** Opens the bindings of the operator's surface on a local state. */
export function withOperatorBindings<T>(persistTo: string, work: (env: OperatorBindings) => Promise<T>): Promise<T> {
  const kinds = ['d1_databases', 'kv_namespaces', 'ratelimits'] as const;
  return withBindings({ remote: false, persistTo }, kinds, ({ env }) => work(env));
}

async function withBindings<T>(
  place: Place,
  kinds: readonly BindingKind[],
  work: (stores: { readonly db: Database; readonly env: OperatorBindings }) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, QUIET_WRANGLER);
  // What a tool prints is its own lines: wrangler would announce its connection among them.
  if (place.remote) process.env['WRANGLER_LOG'] ??= 'error';
  const persistPath = makeStateFolder(place.persistTo);
  if (!place.remote) keepFilesBeside(place.persistTo, { isAlone: false });
  // Half of what a tool costs, and one that refuses its input asks for nothing of it.
  const { getPlatformProxy, unstable_readConfig } = await import('wrangler');
  const wanted = unstable_readConfig({ config: 'wrangler.toml' });
  const { configPath, remove } = writeBindingConfig(wanted, place.remote, kinds);
  try {
    const proxy = await getPlatformProxy<Record<keyof OperatorBindings, never> & OperatorBindings>({
      configPath,
      persist: { path: persistPath },
      remoteBindings: place.remote,
    });
    try {
      return await work({ db: waitingForLocks(openDatabase(proxy.env.DB)), env: proxy.env });
    } finally {
      await proxy.dispose();
    }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(place.remote ? remoteFault(error) : localFault(error), { cause: error });
  } finally {
    remove();
  }
}

const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 150;

// A running server writes to the same file, and whoever comes second is refused at once. Nothing was done then, so it
// can be tried again.
function waitingForLocks(db: Database): Database {
  return {
    first: (statement) => whileLocked(() => db.first<never>(statement)),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      whileLocked(() => db.batch<Rows>(statements)),
  };
}

async function whileLocked<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === LOCK_TRIES || !isLocked(error)) throw error;
      await setTimeout(LOCK_WAIT_MS);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message);
}

function localFault(error: Error): string {
  return isLocked(error)
    ? 'The database is busy with a running server: nothing was changed, try again.'
    : `The answer of the database was lost (${error.message}), so the command may be done or not: check with "npm run account -- list", then try again.`;
}

function remoteFault(error: Error): string {
  return `The deployed database cannot be used: ${error.message} Check "npx wrangler whoami", and that "npm run deploy" went well.`;
}

/** Brings the database up to date, and applies schema.sql where it lacks any of it, so that a database in use is not locked for nothing. */
export async function applySchema(db: Database): Promise<void> {
  await upgrade(db);
  const statements = await schemaStatements();
  const wanted = statements.map((sql) => /\bIF NOT EXISTS (\w+)/.exec(sql)?.[1]);
  const [present] = await db.batch<[{ readonly name: string }]>([
    { sql: 'SELECT name FROM sqlite_master', params: [] },
  ]);
  const names = new Set(present.map(({ name }) => name));
  if (wanted.every((name) => name !== undefined && names.has(name))) return;
  await db.batch(statements.map((sql) => ({ sql, params: [] })));
}

export async function schemaStatements(): Promise<string[]> {
  const { unstable_splitSqlQuery } = await import('wrangler');
  return unstable_splitSqlQuery(readFileSync('schema.sql', 'utf8'));
}

type BindingKind = 'd1_databases' | 'kv_namespaces' | 'ratelimits';

// A file of its own that binds what is asked for and nothing else, so that no tool starts the queue or the assets; and one
// where `remote` can be said, which wrangler.toml must not say for `wrangler dev`.
function writeBindingConfig(
  { name, account_id, compatibility_date, ...config }: Unstable_Config,
  remote: boolean,
  kinds: readonly BindingKind[],
): { configPath: string; remove: () => void } {
  const bindings = {
    kv_namespaces: () =>
      config.kv_namespaces.map((namespace: KvBinding) => (remote ? deployedKv(namespace) : namespace)),
    ratelimits: () => config.ratelimits,
    d1_databases: () => config.d1_databases.map((database: D1Binding) => (remote ? deployed(database) : database)),
  };
  const bound = Object.fromEntries(kinds.map((kind) => [kind, bindings[kind]()]));
  const folder = mkdtempSync(join(tmpdir(), 'terse-'));
  const configPath = join(folder, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify({ name, account_id, compatibility_date, ...bound }));
  return { configPath, remove: () => rmSync(folder, { recursive: true }) };
}

interface D1Binding {
  readonly database_name?: string;
  readonly database_id?: string;
  readonly preview_database_id?: string;
}

// The preview id stands for the local copy, and would win over the real one if it were left.
function deployed({ database_name, database_id, ...database }: D1Binding): object {
  const id = database_id ?? findDeployedId(database_name);
  return { ...database, database_name, database_id: id, preview_database_id: id, remote: true };
}

interface KvBinding {
  readonly binding: string;
  readonly id?: string;
}

function deployedKv({ binding, id }: KvBinding): object {
  if (!id)
    throw new UsageError(
      `wrangler.toml has no id beside binding = "${binding}": put that of the namespace there. Nothing was changed.`,
    );
  return { binding, id, preview_id: id, remote: true };
}

// wrangler.toml need not name the id of the database: Cloudflare knows it by its name.
function findDeployedId(name = ''): string {
  const outcome = runWrangler(['d1', 'list', '--json']);
  const id = readDatabases(outcome.stdout).find((database) => database.name === name)?.uuid;
  if (id !== undefined) return id;
  const reason = faultOf(outcome);
  throw new UsageError(
    reason === undefined
      ? `The account has no database "${name}": make it with "npx wrangler d1 create ${name}", then "npm run deploy".`
      : `Cloudflare cannot be asked for the database "${name}" (${reason}): sign in with "npx wrangler login".`,
  );
}

function readDatabases(json: string): readonly { readonly name: string; readonly uuid: string }[] {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}
