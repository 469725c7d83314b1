import { backUp, readTables } from './backup/dump.ts';
import { warnOfGit } from './backup/git.ts';
import { readBackupOptions } from './backup/options.ts';
import { describeRows } from './backup/statistics.ts';
import { run, UsageError } from './cli-error.ts';
import type { Service } from './operator-service.ts';
import { LOCATION_USAGE } from './location.ts';
import { withService } from './operator.ts';

/** `npm run backup -- FILE`: writes all rows of the local or the deployed service into one file. */

const USAGE = `Usage: npm run backup -- FILE [--force] ${LOCATION_USAGE}

Writes all rows of the database, the click statistics and the counts of limited links to FILE, which only you can read,
since it contains password hashes. --force replaces an existing file. The backup does not contain the signing keys and
the cache.`;

if (import.meta.main) await run(() => backup(process.argv.slice(2)));

/** Runs the tool. Throws `UsageError`. */
export async function backup(args: readonly string[]): Promise<void> {
  const options = readBackupOptions('backup', args);
  if (options === null) return console.log(USAGE);
  const { file, force, location } = options;
  const work = async (service: Service) => {
    const found = await readTables(service);
    if (found.is_restoring)
      throw new UsageError('A restore is not finished: run its command again to finish it, then create the backup.');
    if (found.tables.length === 0) {
      throw new UsageError('There is no database to back up: "npm start" or "npm run deploy" creates it.');
    }
    return backUp(service, found, file, { force });
  };
  const { rows, sha256 } = await withService(location, work, { createsSchema: false });
  warnOfGit(file);
  console.log(`backup: ${file}\n${describeRows(rows)}\nsha256: ${sha256}`);
}
