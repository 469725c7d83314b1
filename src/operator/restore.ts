import * as z from 'zod';
import type { Database, Statement } from '../database/database.ts';
import { SELECT_OLDEST_MIGRATION } from '../database/database-watch.ts';
import { AppError } from '../errors.ts';
import { readBytes } from '../http/body.ts';
import { lazy } from '../isolate/lazy.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { auditRestore } from './audit.ts';
import { read } from './backup.ts';
import { command, parse, subjectOf, type OperatorCommand, type Stores } from './command.ts';
import { eraseStatistics } from './objects.ts';
import { readTables, type Table } from './tables.ts';

/**
 * A restore in slices. Each slice is one short transaction, which also updates the progress in the one row of
 * `restores`. So a restore can continue after an answer was lost or the tool was killed. While that row exists, all
 * other queries fail (`serveDatabase`).
 */

// Deleting this many takes a second if the rows are as large as possible, half a megabyte each.
const DELETED_ROWS = 2000;
// A request may make 1,000 calls to KV.
const CACHE_ENTRIES = 500;
const MAX_SLICE_BYTES = 1_900_000;
// A request may make 1,000 calls to objects.
const DELETED_CLIENTS = 100;

export const sha256 = lazy(() => z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits'));
const name = lazy(() => z.string().max(64));
const rows = lazy(() => z.int().min(0));

const sliceHead = lazy(() =>
  z.strictObject({
    sha256: sha256(),
    table: name(),
    columns: z.array(name()).min(1).max(90),
    /** The number of rows of the backup that are restored before this slice, and after it. */
    from: rows(),
    to: rows(),
  }),
);

export interface Progress {
  readonly sha256: string;
  readonly is_emptied: number;
  readonly next_row: number;
  /** Milliseconds since the epoch. */
  readonly begun_at: number;
}

export const RESTORE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'begin-restore': command(() => z.strictObject({ sha256: sha256(), force: z.boolean() }), begin),
  'empty-database': command(
    () => z.strictObject({ sha256: sha256() }),
    (stores, fields) => emptySlice(stores, fields.sha256),
  ),
  'restore-rows': async (stores, request) =>
    insertSlice(stores, await readBytes(request, { maxBytes: MAX_SLICE_BYTES })),
  'empty-cache': command(
    () => z.strictObject({ cursor: z.string().max(1024).nullable() }),
    async ({ kv }, { cursor }) => {
      const page: KVNamespaceListResult<unknown> = await kv.list({ cursor, limit: CACHE_ENTRIES });
      await withTimeout(TIMEOUT_MS.backgroundDatabase, Promise.all(page.keys.map(({ name }) => kv.delete(name))));
      return { removed: page.keys.length, cursor: page.list_complete ? null : page.cursor };
    },
  ),
  'finish-restore': command(
    () => z.strictObject({ sha256: sha256(), rows: rows() }),
    async ({ store, forget }, fields) => {
      const sql = `DELETE FROM restores WHERE sha256 = ?1 AND is_emptied = 1 AND next_row = ?2 RETURNING id`;
      const [, ended] = await store.batch<[never, unknown]>([
        auditRestore(fields.sha256, fields.rows, Date.now()),
        { sql, params: [fields.sha256, fields.rows] },
      ]);
      if (ended.length === 0) throw overtaken();
      forget();
      return {};
    },
  ),
};

export const SELECT_PROGRESS: Statement = {
  sql: 'SELECT sha256, is_emptied, next_row, begun_at FROM restores',
  params: [],
};

async function begin({ store, watch }: Stores, { sha256, force }: { sha256: string; force: boolean }): Promise<object> {
  const [[support]] = await store.batch<[{ readonly oldest_migration: number }]>([
    { sql: SELECT_OLDEST_MIGRATION, params: [] },
  ]);
  if ((support?.oldest_migration ?? 0) > watch.schemaVersion) {
    throw new AppError(
      'edit_conflict',
      'The database is newer than this version of the service: deploy the newer version, then restore.',
    );
  }
  const tables = await readTables(store);
  await dropLeftovers(store);
  const isEmpty = tables.map(({ name }) => `NOT EXISTS (SELECT 1 FROM "${name}")`).join(' AND ');
  const [, [progress]] = await store.batch<[never, Progress]>([
    {
      // An unfinished restore of the same file continues. An unfinished restore of another file is replaced only with
      // `force`.
      sql: `INSERT INTO restores (id, sha256, is_emptied, next_row, begun_at) SELECT 1, ?1, ${isEmpty}, 0, ?2
            WHERE ?3 OR (${isEmpty})
            ON CONFLICT (id) DO UPDATE SET sha256 = excluded.sha256, is_emptied = 0, next_row = 0, begun_at = excluded.begun_at
              WHERE ?3 AND restores.sha256 <> excluded.sha256`,
      params: [sha256, Date.now(), Number(force)],
    },
    SELECT_PROGRESS,
  ]);
  watch.lookAgain();
  if (!progress) return { state: 'not_empty' };
  if (progress.sha256 !== sha256) return { state: 'of_another' };
  return {
    state: 'begun',
    is_emptied: progress.is_emptied === 1,
    next_row: progress.next_row,
    wait_ms: waitOf(progress, watch),
  };
}

// Other isolates may still rely on their last check, and a write that they have begun may take as long as D1 allows.
function waitOf({ begun_at: begunAt }: Progress, { validMs }: Stores['watch']): number {
  if (validMs === 0) return 0;
  return Math.max(0, begunAt + validMs + TIMEOUT_MS.backgroundDatabase - Date.now());
}

// Tables that a killed restore by an earlier version left behind.
async function dropLeftovers(store: Database): Promise<void> {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'restoring\\_%' ESCAPE '\\'`;
  const [found] = await store.batch<[{ readonly name: string }]>([{ sql, params: [] }]);
  for (const { name } of found) await store.batch([{ sql: `DROP TABLE IF EXISTS "${name}"`, params: [] }]);
}

/** Deletes rows of a table to which no row of another table refers, and with clients their click statistics. */
async function emptySlice({ store, objects }: Stores, sha256: string): Promise<{ readonly isEmpty: boolean }> {
  const tables = (await readTables(store)).toReversed();
  const [[progress], ...found] = await store.batch<[Progress, ...{ readonly found: number }[]]>([
    SELECT_PROGRESS,
    ...tables.map(({ name }) => ({ sql: `SELECT EXISTS (SELECT 1 FROM "${name}") AS found`, params: [] })),
  ]);
  // Otherwise this tool would empty the database for ever while another restore fills it.
  if (progress?.sha256 !== sha256) throw overtaken();
  if (progress.is_emptied === 1) return { isEmpty: true };
  const table = tables.find((_, index) => found[index]?.[0]?.found === 1);
  const isOurs = `EXISTS (SELECT 1 FROM restores WHERE sha256 = ?1 AND is_emptied = 0)`;
  if (table?.name === 'clients') {
    // Before the rows, without which no one could find the objects again.
    const [clients] = await store.batch<[{ readonly id: string }]>([
      { sql: 'SELECT id FROM clients LIMIT ?1', params: [DELETED_CLIENTS] },
    ]);
    const ids = clients.map(({ id }) => id);
    await eraseStatistics(objects, ids);
    const sql = `DELETE FROM clients WHERE ${isOurs} AND id IN (SELECT value FROM json_each(?2))`;
    await store.batch([{ sql, params: [sha256, JSON.stringify(ids)] }]);
    return { isEmpty: false };
  }
  if (table) {
    const key = table.key.map((column) => `"${column}"`).join(', ');
    const sql = `DELETE FROM "${table.name}" WHERE ${isOurs} AND (${key}) IN (SELECT ${key} FROM "${table.name}" LIMIT ${DELETED_ROWS})`;
    await store.batch([{ sql, params: [sha256] }]);
    return { isEmpty: false };
  }
  await store.batch([{ sql: `UPDATE restores SET is_emptied = 1 WHERE sha256 = ?1`, params: [sha256] }]);
  return { isEmpty: true };
}

/**
 * The body is a line of JSON, followed by rows as in a backup, one a line. The rows are passed to the database
 * unparsed.
 */
async function insertSlice({ store, record }: Stores, bytes: Uint8Array): Promise<{ readonly next_row: number }> {
  const text = decode(bytes);
  const end = text.indexOf('\n');
  const head = parse(sliceHead(), parseLine(end < 0 ? '{}' : text.slice(0, end)));
  await record(subjectOf(head));
  const table = (await readTables(store)).find(({ name }) => name === head.table);
  if (!table) throw new AppError('malformed_body', `There is no table ${head.table}.`);
  const lines = `[${text
    .slice(end + 1)
    .trimEnd()
    .replaceAll('\n', ',')}]`;
  const now = `EXISTS (SELECT 1 FROM restores WHERE sha256 = ?2 AND is_emptied = 1 AND next_row = ?3)`;
  const [, , [progress]] = await store
    .batch<[never, never, Progress]>([
      { sql: `${insertInto(table, head.columns)} WHERE ${now}`, params: [lines, head.sha256, head.from] },
      {
        sql: `UPDATE restores SET next_row = ?3 WHERE sha256 = ?1 AND is_emptied = 1 AND next_row = ?2`,
        params: [head.sha256, head.from, head.to],
      },
      SELECT_PROGRESS,
    ])
    .catch((cause: unknown) => {
      const reason = String(cause instanceof AppError ? cause.cause : cause);
      if (!BROKEN_RULE.test(reason)) throw cause;
      throw new AppError('malformed_body', `a row of ${table.name} breaks a rule of the database (${reason}).`, {
        cause,
      });
    });
  if (progress?.sha256 !== head.sha256) throw overtaken();
  return { next_row: progress.next_row };
}

const BROKEN_RULE = /constraint failed|malformed JSON|datatype mismatch|cannot store/i;

function insertInto(table: Table, names: readonly string[]): string {
  const values = names.map((name, index) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw new AppError('malformed_body', `${table.name} has no column ${name}.`);
    return read(`row.value ->> ${index}`, column);
  });
  const columns = names.map((name) => `"${name}"`).join(', ');
  return `INSERT INTO "${table.name}" (${columns}) SELECT ${values.join(', ')} FROM json_each(?1) AS row`;
}

/** Parses a line of a body. Throws `malformed_body`. */
export function parseLine(line: string, which = 'first'): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new AppError('malformed_body', `The ${which} line is not JSON.`, { cause });
  }
}

export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_body', 'The body is not UTF-8.', { cause });
  }
}

export function overtaken(): AppError {
  return new AppError(
    'edit_conflict',
    'Another restore has started, or this one is finished: check with "npm run account -- list".',
  );
}
