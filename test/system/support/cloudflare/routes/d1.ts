import { jsonOf, type Call, type Routes } from '../call.ts';
import { ApiError, pageOf } from '../envelope.ts';
import { newUuid, now, REPLICATION_MODES, type Account, type Database, type ReplicationMode } from '../state.ts';
import type { Statement, StatementResult, Stores } from '../stores.ts';

/** D1 databases: https://developers.cloudflare.com/api/resources/d1/subresources/database/ */
export function d1Routes(stores: Stores): Routes {
  return {
    // `name` is "a database name to search for": a part of a name is enough.
    'GET /accounts/:account/d1/database': ({ account, query }) => {
      const name = query.get('name') ?? '';
      const found = account.databases.filter((each) => each.name.includes(name));
      // A list does not show the replicas.
      return pageOf(
        found.map(({ read_replication: _replicas, ...item }) => item),
        query,
        100,
      );
    },

    'POST /accounts/:account/d1/database': (call) => {
      const { name } = jsonOf(call) as { name?: string };
      // https://github.com/alchemy-run/distilled, patches/d1/createDatabase
      if (name === undefined || name === '') throw new ApiError(400, 7400, 'Invalid property: name');
      // wrangler knows this code (`createD1Database`).
      if (call.account.databases.some((each) => each.name === name)) {
        throw new ApiError(400, 7502, `Database with name '${name}' already exists`);
      }
      const database: Database = {
        uuid: newUuid(),
        name,
        created_at: now(),
        version: 'production',
        read_replication: { mode: 'disabled' },
      };
      call.account.databases.push(database);
      return database;
    },

    'GET /accounts/:account/d1/database/:database': (call) => {
      const details = detailsOf(databaseOf(call));
      const fields = call.query.get('fields')?.split(',');
      if (fields === undefined) return details;
      return Object.fromEntries(Object.entries(details).filter(([name]) => fields.includes(name)));
    },

    'PUT /accounts/:account/d1/database/:database': (call) => {
      const database = databaseOf(call);
      const { read_replication: replication } = jsonOf(call) as { read_replication?: { mode?: ReplicationMode } };
      const mode = REPLICATION_MODES.find((each) => each === replication?.mode);
      if (mode === undefined) throw new ApiError(400, 7400, 'Invalid property: read_replication');
      database.read_replication = { mode };
      return detailsOf(database);
    },

    'POST /accounts/:account/d1/database/:database/query': async (call) => {
      const { uuid } = databaseOf(call);
      return runStatements(stores, uuid, await statementsOf(jsonOf(call) as QueryBody));
    },
  };
}

function detailsOf(database: Database) {
  return { ...database, num_tables: 0, file_size: 0, running_in_region: 'WEUR' };
}

/** The database that the path names by its id or its name, as `d1 execute` of wrangler does. Throws code 7404. */
export function databaseOf({ account, params }: Pick<Call, 'account' | 'params'>): Database {
  const database = findDatabase(account, params['database'] ?? '');
  if (database === undefined) {
    throw new ApiError(404, 7404, `The database ${params['database']} could not be found`);
  }
  return database;
}

function findDatabase({ databases }: Account, idOrName: string): Database | undefined {
  return databases.find(({ uuid, name }) => uuid === idOrName || name === idOrName);
}

/** Runs statements as one transaction. Throws an `ApiError` with code 7500 and the reason of SQLite. */
export async function runStatements(
  stores: Stores,
  databaseId: string,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  for (const { sql, params = [] } of statements) check(sql, params);
  try {
    return await stores.query(databaseId, statements);
  } catch (error) {
    // Status 400 since 2024: https://developers.cloudflare.com/d1/platform/release-notes/
    throw new ApiError(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

// https://developers.cloudflare.com/d1/platform/limits/: workerd has higher ones.
const [MAX_SQL_BYTES, MAX_PARAMETERS] = [100_000, 100];

function check(sql: string, params: readonly unknown[]): void {
  if (Buffer.byteLength(sql) > MAX_SQL_BYTES) throw new ApiError(400, 7500, 'statement too long: SQLITE_TOOBIG');
  if (params.length > MAX_PARAMETERS) throw new ApiError(400, 7500, 'too many SQL variables: SQLITE_ERROR');
}

interface QueryBody {
  readonly sql?: string;
  readonly params?: readonly unknown[];
  readonly batch?: readonly Statement[];
}

async function statementsOf({ sql, params, batch }: QueryBody): Promise<Statement[]> {
  if (batch !== undefined) return [...batch];
  if (sql === undefined) throw new ApiError(400, 7400, 'Invalid property: sql');
  const statements = await splitStatements(sql);
  // The documents do not say which statement would get them.
  if (statements.length > 1 && params !== undefined && params.length > 0) {
    throw new ApiError(400, 7400, 'The stub takes params with one statement only: send a batch instead');
  }
  return statements.map((each) => ({ sql: each, ...(params !== undefined && { params }) }));
}

/** The statements of a text; comments alone are none. */
export async function splitStatements(sql: string): Promise<string[]> {
  // Imported here, since loading it takes a second, and most texts are one statement.
  if (!/;\s*\S/.test(sql)) return [sql];
  const { unstable_splitSqlQuery } = await import('wrangler');
  return unstable_splitSqlQuery(sql);
}
