import { dirname, join } from 'node:path';
import { backUp, readTables } from './backup/dump.ts';
import { checkBackup } from './backup/file.ts';
import { beginRestore, emptyCache, emptyDatabase, finishRestore, fit, sendRows, type Begun } from './backup/load.ts';
import { readBackupOptions } from './backup/options.ts';
import { run, UsageError } from './fail.ts';
import type { Service } from './operator-service.ts';
import { withService } from './operator.ts';

/** `npm run restore -- FILE`: the database, the local or the deployed one, as it was when `npm run backup` wrote the file. */

const USAGE = `Usage: npm run restore -- FILE [--force] [--persist-to DIR | --remote [--origin URL]]

Puts the rows of a backup into the database, which has to be empty. With --force they replace all that is in it, of which a
backup is made first, beside FILE. Then empties the cache. Until it is over the service answers 503, but for links that it
remembers. A restore that was ended goes on where it was when the same command is given again. What was revoked or changed
since the backup is again as it was.`;

await run(async () => {
  const options = readBackupOptions('restore', process.argv.slice(2));
  if (options === null) return console.log(USAGE);
  const { file, force, place } = options;
  const backup = await checkBackup(file);
  const { sha256, rows, version } = backup;
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const removed = await withService(place, async (service) => {
    const { tables } = await readTables(service);
    const fitted = fit(tables, backup);
    if (fitted === null) throw otherTables(version, place.remote);
    const begun = await begin(service, file, sha256, force);
    if (fitted.left.length > 0) console.error(`Left out, as no version needs it any more: ${fitted.left.join(', ')}.`);
    if (!begun.is_emptied) await emptyDatabase(service, sha256);
    await sendRows(service, file, sha256, fitted, begun.next_row).catch(tellStop);
    const removed = await emptyCache(service);
    await finishRestore(service, sha256, total);
    return removed;
  });
  console.log(`restored: ${file}\nlinks: ${rows['links']}\nrows: ${total}\ncache entries removed: ${removed}`);
});

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
        ? 'The database is not empty, and nothing was changed: --force replaces all that is in it.'
        : 'The restore of another backup is not over, and nothing was changed: give that file, or --force for this one.',
    );
  }
  // What half a restore left is in its file.
  if (first.state === 'not_empty') {
    const replaced = join(dirname(file), `replaced-${new Date().toISOString().replaceAll(':', '-')}.backup`);
    await backUp(service, await readTables(service), replaced, { force: false });
    console.log(`replaced: ${replaced}`);
  }
  const second = await beginRestore(service, sha256, true);
  if (second.state === 'begun') return second;
  throw new UsageError('Another restore has been begun meanwhile: wait until it is over.');
}

function tellStop(cause: unknown): never {
  if (!(cause instanceof UsageError)) throw cause;
  throw new UsageError(
    `The restore stopped, and the service answers 503 until one is over: ${cause.message} Give the same command again to go on, or another backup with --force.`,
    { cause },
  );
}

function otherTables(version: string, remote: boolean): UsageError {
  const cure = `Restore it with version ${version} of Terse, then upgrade by "${remote ? 'npm run deploy' : 'npm start'}" of this one.`;
  return new UsageError(`The backup does not fit the tables of this database, and nothing was changed. ${cure}`);
}
