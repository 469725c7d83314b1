import type { Database } from '../src/database.ts';
import { checkBackup, readParts } from './backup/file.ts';
import { loadTables } from './backup/load.ts';
import { readBackupOptions } from './backup/options.ts';
import { readTables, schemaOf, type Table } from './backup/tables.ts';
import { applySchema, withStores } from './database.ts';
import { run, UsageError } from './fail.ts';

/** `npm run restore -- FILE`: the database, the local or the deployed one, as it was when `npm run backup` wrote the file. */

const USAGE = `Usage: npm run restore -- FILE [--force] [--persist-to DIR | --remote]

Puts the rows of a backup into the database, which has to be empty; with --force they replace all that is in it. Then
empties the cache. What was revoked or changed since the backup is again as it was.`;

await run(async () => {
  const options = readBackupOptions('restore', process.argv.slice(2));
  if (options === null) return console.log(USAGE);
  const { file, force, place } = options;
  const { version, schema, rows } = await checkBackup(file);
  const forgotten = await withStores(place, async ({ db, kv }) => {
    if (!place.remote) await applySchema(db);
    const tables = await readTables(db);
    if (schemaOf(tables) !== schema) throw otherSchema(version, place.remote);
    if (!force && !(await isEmpty(db, tables))) {
      throw new UsageError('The database is not empty, and nothing was changed: --force replaces all that is in it.');
    }
    await loadTables(db, tables, readParts(file), rows);
    return emptyCache(kv);
  });
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  console.log(`restored: ${file}\nlinks: ${rows['links']}\nrows: ${total}\ncache entries removed: ${forgotten}`);
});

function otherSchema(version: string, remote: boolean): UsageError {
  const cure = `Restore it with version ${version} of Terse, then upgrade by "${remote ? 'npm run deploy' : 'npm start'}" of this one.`;
  return new UsageError(`The backup does not fit the tables of this database, and nothing was changed. ${cure}`);
}

async function isEmpty(db: Database, tables: readonly Table[]): Promise<boolean> {
  const found = await db.batch<readonly { readonly found: number }[]>(
    tables.map(({ name }) => ({ sql: `SELECT EXISTS (SELECT 1 FROM "${name}") AS found`, params: [] })),
  );
  return found.every(([row]) => row?.found === 0);
}

// Its entries are of links as they were a moment ago, and live for a day: the first visitor of each would be led there.
async function emptyCache(kv: KVNamespace): Promise<number> {
  let removed = 0;
  try {
    for (let cursor: string | null = null; ;) {
      const page: KVNamespaceListResult<unknown> = await kv.list({ cursor });
      for (const { name } of page.keys) await kv.delete(name);
      removed += page.keys.length;
      if (page.list_complete) return removed;
      cursor = page.cursor;
    }
  } catch (cause) {
    throw new UsageError(
      'The database is restored, but the cache could not be emptied: for a day some links may lead the first who ' +
        'follows them to where they led before. To try again, restore once more with --force.',
      { cause },
    );
  }
}
