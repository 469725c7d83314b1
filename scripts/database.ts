import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Unstable_Config } from 'wrangler';
import { openDatabase, type Database, type Statement } from '../src/database.ts';
import type { OperatorBindings } from '../src/operator/operator.ts';
import { endWorkerdWithThis } from './children.ts';
import { UsageError } from './cli-error.ts';
import { migrate, type Migrated } from './migrations/migrate.ts';
import { keepFilesBeside, createStateFolder } from './state.ts';
import { openStoredObjects } from './stored-objects.ts';
import { QUIET_WRANGLER } from './wrangler.ts';

export const DEFAULT_PERSIST_TO = '.wrangler/state';

/**
 * Opens the D1 database of a local state, through the same binding as the Worker's, for as long as `work` takes. Throws
 * a `UsageError` for faults that the operator can correct.
 *
 * @param persistTo the folder given to `npm start -- --persist-to`, or its default
 */
export function withDatabase<T>(persistTo: string, work: (db: Database) => Promise<T>): Promise<T> {
  return withBindings(persistTo, ['d1_databases'], ({ DB }) => work(waitingForLocks(openDatabase(DB))));
}

/** Opens the bindings of the operator's surface on a local state. */
export function withOperatorBindings<T>(persistTo: string, work: (env: OperatorBindings) => Promise<T>): Promise<T> {
  const kinds = ['d1_databases', 'kv_namespaces', 'ratelimits', 'version_metadata'] as const;
  return withBindings(persistTo, kinds, async (env, stateFolder) => {
    const objects = openStoredObjects(stateFolder);
    try {
      return await work({ ...env, STATISTICS: objects.statistics, LIMITS: objects.limits });
    } finally {
      await objects.close();
    }
  });
}

async function withBindings<T>(
  persistTo: string,
  kinds: readonly BindingKind[],
  work: (env: OperatorBindings, stateFolder: string) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, QUIET_WRANGLER);
  const path = createStateFolder(persistTo);
  keepFilesBeside(persistTo, { isAlone: false });
  // Half of a tool's time is loading this, which a tool that refuses its input does not need.
  const { getPlatformProxy, unstable_readConfig } = await import('wrangler');
  const { configPath, remove } = writeBindingConfig(unstable_readConfig({ config: 'wrangler.toml' }), kinds);
  try {
    const proxy = await getPlatformProxy<Record<keyof OperatorBindings, never> & OperatorBindings>({
      configPath,
      persist: { path },
      remoteBindings: false,
    });
    const callOff = endWorkerdWithThis();
    try {
      return await work(proxy.env, path);
    } finally {
      await proxy.dispose();
      callOff();
    }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(faultOf(error), { cause: error });
  } finally {
    remove();
  }
}

const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 150;

// A running server writes to the same file, and the second writer is refused at once. Nothing was done then, so it is
// tried again.
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

function faultOf(error: Error): string {
  return isLocked(error)
    ? 'The database is busy with a running server: nothing was changed, try again.'
    : `The response of the database was lost (${error.message}), so the command may or may not have been executed: check with "npm run account -- list", then try again.`;
}

/** Applies the migrations that a database lacks. Throws like `migrate`. */
export function migrateDatabase(db: Database): Promise<Migrated> {
  return migrate((statements) => db.batch(statements.map((sql) => ({ sql, params: [] }))));
}

type BindingKind = 'd1_databases' | 'kv_namespaces' | 'ratelimits' | 'version_metadata';

// A separate configuration with only the needed bindings, so that no tool starts the queue or the assets.
function writeBindingConfig(
  { name, compatibility_date, ...config }: Unstable_Config,
  kinds: readonly BindingKind[],
): { configPath: string; remove: () => void } {
  const bound = Object.fromEntries(kinds.map((kind) => [kind, config[kind]]));
  const folder = mkdtempSync(join(tmpdir(), 'terse-'));
  const configPath = join(folder, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, ...bound }));
  return { configPath, remove: () => rmSync(folder, { recursive: true }) };
}
