import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getPlatformProxy, unstable_readConfig, unstable_splitSqlQuery } from 'wrangler';
import { openDatabase, type Database } from '../src/database.ts';
import { UsageError } from './fail.ts';

/** Where the tools find the database: the local one of `wrangler dev`, or the deployed one. */
export interface Place {
  readonly remote: boolean;
  /** The folder given to `wrangler dev --persist-to`, or its default. */
  readonly persistTo: string;
}

export const DEFAULT_PERSIST_TO = '.wrangler/state';

/** Keeps wrangler to itself: no telemetry, no look for updates, no request for a sample of `request.cf`. */
export const QUIET_WRANGLER = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

/**
 * Opens the same D1 database that the Worker uses, through a real binding, for as long as `work` takes. What goes wrong
 * with a deployed one is told as a `UsageError`: the cure is the operator's.
 */
export async function withDatabase<T>(place: Place, work: (db: Database) => Promise<T>): Promise<T> {
  Object.assign(process.env, QUIET_WRANGLER);
  const { configPath, remove } = writeBindingConfig(place.remote);
  try {
    const proxy = await getPlatformProxy<{ DB: D1Database }>({
      configPath,
      persist: { path: join(resolve(place.persistTo), 'v3') },
      remoteBindings: place.remote,
    });
    try {
      return await work(openDatabase(proxy.env.DB));
    } finally {
      await proxy.dispose();
    }
  } catch (error) {
    if (!place.remote || error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(
      `The deployed database cannot be used: ${error.message} Check "npx wrangler whoami", and that "npm run deploy" went well.`,
      { cause: error },
    );
  } finally {
    remove();
  }
}

/** Applies schema.sql, which may be applied any number of times. */
export async function applySchema(db: Database): Promise<void> {
  await db.batch(schemaStatements().map((sql) => ({ sql, params: [] })));
}

export function schemaStatements(): string[] {
  return unstable_splitSqlQuery(readFileSync('schema.sql', 'utf8'));
}

// A file of its own that binds the database and nothing else, so that no tool starts the queue or the assets; and one
// where `remote` can be said, which wrangler.toml must not say for `wrangler dev`.
function writeBindingConfig(remote: boolean): { configPath: string; remove: () => void } {
  const { name, account_id, compatibility_date, d1_databases } = unstable_readConfig({ config: 'wrangler.toml' });
  const folder = mkdtempSync(join(tmpdir(), 'terse-'));
  const configPath = join(folder, 'wrangler.json');
  const databases = d1_databases.map((database: object) => ({ ...database, remote }));
  writeFileSync(configPath, JSON.stringify({ name, account_id, compatibility_date, d1_databases: databases }));
  return { configPath, remove: () => rmSync(folder, { recursive: true }) };
}
