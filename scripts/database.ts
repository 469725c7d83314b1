import { setTimeout } from 'node:timers/promises';
import type { Miniflare } from 'miniflare';
import type { Database, Statement } from '../src/database/database.ts';
import { openDatabase } from '../src/database/service-database.ts';
import type { OperatorBindings } from '../src/operator/operator.ts';
import { UsageError } from './cli-error.ts';
import { LOCAL_D1_WORKER, openLocalD1 } from './local-d1.ts';
import { startLocalWorker } from './local-miniflare.ts';
import type { Migration } from './migrations/files.ts';
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
  return withStores(persistTo, ['d1Databases'], (miniflare) =>
    work(waitingForLocks(openDatabase(openLocalD1(miniflare)))),
  );
}

/** Opens the bindings of the operator's surface on a local state. */
export function withOperatorBindings<T>(persistTo: string, work: (env: OperatorBindings) => Promise<T>): Promise<T> {
  const kinds = ['d1Databases', 'kvNamespaces', 'ratelimits', 'versionMetadata'] as const;
  return withStores(persistTo, kinds, async (miniflare, stateFolder) => {
    const env = await miniflare.getBindings<OperatorBindings>();
    const objects = openStoredObjects(stateFolder);
    try {
      const DB = openLocalD1(miniflare);
      return await work({ ...env, DB, STATISTICS: objects.statistics, LIMITS: objects.limits });
    } finally {
      await objects.close();
    }
  });
}

/** @param kinds of the bindings of wrangler.toml, so that no tool starts the queue or the assets */
async function withStores<T>(
  persistTo: string,
  kinds: readonly ('d1Databases' | 'kvNamespaces' | 'ratelimits' | 'versionMetadata')[],
  work: (miniflare: Miniflare, stateFolder: string) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, QUIET_WRANGLER);
  const stateFolder = createStateFolder(persistTo);
  keepFilesBeside(persistTo, { isAlone: false });
  try {
    const local = await startLocalWorker(stateFolder, (stores) => ({
      ...Object.fromEntries(kinds.map((kind) => [kind, stores[kind]])),
      modules: [{ type: 'ESModule', path: LOCAL_D1_WORKER }],
      modulesRoot: '/',
    }));
    try {
      return await work(local.miniflare, stateFolder);
    } finally {
      await local.end();
    }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(faultOf(error), { cause: error });
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

/** Applies the migrations that a database lacks: those of this version, or the given ones. Throws like `migrate`. */
export function migrateDatabase(db: Database, migrations?: readonly Migration[]): Promise<Migrated> {
  return migrate((statements) => db.batch(statements.map((sql) => ({ sql, params: [] }))), migrations);
}
