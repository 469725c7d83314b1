import packageJson from '../package.json' with { type: 'json' };
import { dumpTables } from './backup/dump.ts';
import { writeBackup } from './backup/file.ts';
import { readBackupOptions } from './backup/options.ts';
import { readTables, schemaOf } from './backup/tables.ts';
import { withDatabase } from './database.ts';
import { run, UsageError } from './fail.ts';

/** `npm run backup -- FILE`: all rows of the database, the local or the deployed one, as one file. */

const USAGE = `Usage: npm run backup -- FILE [--force] [--persist-to DIR | --remote]

Writes all rows of the database to FILE, which only you can read: password hashes are in it. --force replaces a file
that is there. The signing keys and the cache are not in it.`;

await run(async () => {
  const options = readBackupOptions('backup', process.argv.slice(2));
  if (options === null) return console.log(USAGE);
  const { file, force, place } = options;
  const { rows, sha256 } = await withDatabase(place, async (db) => {
    const tables = await readTables(db);
    if (tables.length === 0) {
      throw new UsageError('There is no database to back up: it is made by "npm start", or by "npm run deploy".');
    }
    return writeBackup(file, { force }, async (line) => {
      line({
        terse_backup: 1,
        version: packageJson.version,
        schema: schemaOf(tables),
        made_at: new Date().toISOString(),
      });
      return dumpTables(db, tables, line);
    });
  });
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  console.log(`backup: ${file}\nlinks: ${rows['links']}\nrows: ${total}\nsha256: ${sha256}`);
});
