import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../cli-error.ts';
import { D1_FOLDER, DATABASE_NAME, STATISTICS_FOLDER } from '../stored-database.ts';

/**
 * Copies the database of a service that has ended, and the statistics of its clients, into `folder`. Returns the path
 * of the database below the folder of the data.
 *
 * @param persistTo the folder of the data
 */
export function copyStores(persistTo: string, folder: string): string {
  const [name, ...more] = namesIn(join(persistTo, D1_FOLDER));
  if (name === undefined || more.length > 0) throw new Error(`not one database in ${persistTo}`);
  copyDatabase(join(persistTo, D1_FOLDER, name), join(folder, 'database.sqlite'));
  mkdirSync(join(folder, 'statistics'));
  for (const each of namesIn(join(persistTo, STATISTICS_FOLDER))) {
    copyDatabase(join(persistTo, STATISTICS_FOLDER, each), join(folder, 'statistics', each));
  }
  return `${D1_FOLDER}/${name}`;
}

const namesIn = (folder: string) => readdirSync(folder).filter((name) => DATABASE_NAME.test(name));

/** Copies a database into one file, without a write-ahead log. */
function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
  }
  const database = new DatabaseSync(to);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  // So that a reader leaves no files beside it; workerd switches back to its log.
  database.exec('PRAGMA journal_mode = DELETE');
  database.exec('VACUUM');
  database.close();
}

// The operating system, in the header of a gzip file (RFC 1952, 2.3): 255 is "unknown".
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/**
 * Builds the Worker as one module, and stores it in `folder` as `worker.mjs.gz`, with its wrangler.toml. The same
 * Worker always becomes the same file.
 *
 * @param built a folder for the build
 */
export function buildRelease(built: string, folder: string): void {
  const args = ['scripts/build-worker.mjs', 'src/index.ts', built, '--one-file'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new UsageError(`The Worker cannot be built:\n${stderr}`);
  const worker = readFileSync(join(built, 'index.mjs'), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  const compressed = gzipSync(worker, { level: 9 });
  compressed[OS_BYTE] = UNKNOWN_OS;
  writeFileSync(join(folder, 'worker.mjs.gz'), compressed);
  // Its comments are about that release, for people who read its repository.
  const settings = readFileSync('wrangler.toml', 'utf8').replaceAll(/^#.*\n/gm, '');
  writeFileSync(join(folder, 'wrangler.toml'), settings);
}
