import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { backUp, readTables } from './backup/dump.ts';
import { checkBackup } from './backup/file.ts';
import { refuseUnmovedIn } from './backup/former-clicks.ts';
import { warnOfGit } from './backup/git.ts';
import { beginRestore, emptyCache, emptyDatabase, finishRestore, fit, sendRows, type Begun } from './backup/load.ts';
import { readBackupOptions } from './backup/options.ts';
import { countRows, describeRows, emptyStatistics, sendObjects } from './backup/statistics.ts';
import { run, UsageError } from './cli-error.ts';
import type { Service } from './operator-service.ts';
import { LOCATION_USAGE } from './location.ts';
import { withService } from './operator.ts';
import { withProgress } from './progress.ts';

/**
 * `npm run restore -- FILE`: restores the local or the deployed database to its state when `npm run backup` wrote the
 * file.
 */

const USAGE = `Usage: npm run restore -- FILE [--force] ${LOCATION_USAGE}

Restores the rows, the click statistics and the counts of limited links of a backup. The database must be empty. --force
replaces all existing data, after a backup of it next to FILE. Then empties the cache. Until the restore is finished the
service returns 503, except for links in memory or in the cache. If a restore is interrupted, run the same command again:
it continues from there. Changes since the backup are lost, and keys that were revoked since then work again.`;

if (import.meta.main) await run(() => restore(process.argv.slice(2)));

/** Runs the tool. Throws `UsageError`. */
export async function restore(args: readonly string[]): Promise<void> {
  const options = readBackupOptions('restore', args);
  if (options === null) return console.log(USAGE);
  const { file, force, location } = options;
  const backup = await checkBackup(file);
  await refuseUnmovedIn(file, backup);
  const { sha256, rows, version, statisticsSchema } = backup;
  const { all, database } = countRows(rows);
  const removed = await withService(location, async (service) => {
    const { tables, statistics_schema } = await readTables(service);
    const fitted = fit(tables, backup);
    if (fitted === null || statisticsSchema > (statistics_schema ?? 0)) throw otherTables(version, location.remote);
    const begun = await begin(service, file, sha256, force);
    if (fitted.left.length > 0) console.error(`Left out, as it is no longer used: ${fitted.left.join(', ')}.`);
    // A local server has one isolate, which knows about the restore that it has begun.
    if (location.remote && begun.wait_ms > 0) {
      console.error(`Waiting ${Math.ceil(begun.wait_ms / 1000)} s, until every data centre has stopped writing.`);
      await setTimeout(begun.wait_ms);
    }
    if (!begun.is_emptied) await emptyDatabase(service, sha256);
    let restored = begun.next_row;
    const onRows = (rows: number) => (restored = rows);
    await withProgress(
      () => `Restoring (${restored} of ${all} rows)`,
      async () => {
        await sendRows(service, file, sha256, fitted, begun.next_row, onRows);
        if (statistics_schema === undefined) return;
        // Clients without statistics in the backup may have some.
        if (begun.next_row <= database) await emptyStatistics(service, sha256);
        await sendObjects(service, file, sha256, begun.next_row, onRows);
      },
    ).catch(explainStop);
    const removed = await emptyCache(service);
    await finishRestore(service, sha256, all);
    return removed;
  });
  console.log(`restored: ${file}\n${describeRows(rows)}\ncache entries removed: ${removed}`);
}

async function begin(
  service: Service,
  file: string,
  sha256: string,
  force: boolean,
): Promise<Begun & { readonly state: 'begun' }> {
  const first = await beginRestore(service, sha256, false);
  if (first.state === 'begun') return first;
  if (!force) {
    throw new UsageError(
      first.state === 'not_empty'
        ? 'The database is not empty, and nothing was changed: --force replaces all existing data.'
        : 'The restore of another backup is not finished, and nothing was changed: name that file, or add --force for this one.',
    );
  }
  // The rows of an unfinished restore need no backup, since its file has them.
  if (first.state === 'not_empty') {
    const replaced = join(dirname(file), `replaced-${new Date().toISOString().replaceAll(':', '-')}.backup`);
    await backUp(service, await readTables(service), replaced, { force: false });
    warnOfGit(replaced);
    console.log(`replaced: ${replaced}`);
  }
  const second = await beginRestore(service, sha256, true);
  if (second.state === 'begun') return second;
  throw new UsageError('Another restore has started in the meantime: wait until it is finished.');
}

function explainStop(cause: unknown): never {
  if (!(cause instanceof UsageError)) throw cause;
  throw new UsageError(
    `The restore stopped, and the service returns 503 until a restore is finished: ${cause.message} Run the same command again to continue, or restore another backup with --force.`,
    { cause },
  );
}

function otherTables(version: string, remote: boolean): UsageError {
  const remedy = `Restore it with version ${version} of Terse, then upgrade by "${remote ? 'npm run deploy' : 'npm start'}" of this version.`;
  return new UsageError(`The backup does not fit the tables of this database, and nothing was changed. ${remedy}`);
}
