import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { D1_FOLDER, DATABASE_NAME } from '../stored-database.ts';
import { openProject } from './processes.ts';

/**
 * Copies the database of a service that has ended into one file, without a write-ahead log, and returns its path below
 * the folder of the data.
 *
 * @param persistTo the folder given to `npm start`
 */
export function copyDatabase(persistTo: string, file: string): string {
  const folder = join(persistTo, D1_FOLDER);
  const [name, ...more] = readdirSync(folder).filter((each) => DATABASE_NAME.test(each));
  if (name === undefined || more.length > 0) throw new Error(`not one database in ${folder}`);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(join(folder, name + suffix))) copyFileSync(join(folder, name + suffix), file + suffix);
  }
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  // So that a reader leaves no files beside it; workerd switches back to its log.
  database.exec('PRAGMA journal_mode = DELETE');
  database.exec('VACUUM');
  database.close();
  return `${D1_FOLDER}/${name}`;
}

const MAX_PLAIN_BYTES = 300_000;
// The operating system, in the header of a gzip file (RFC 1952, 2.3): 255 is "unknown".
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/**
 * Builds the Worker as a deploy would, and stores it in `folder` with its wrangler.toml: as `worker.mjs`, or compressed
 * as `worker.mjs.gz` if it is large. The same Worker always becomes the same file.
 *
 * @param project the project's folder
 * @param temporary a folder for the build
 */
export async function buildRelease(project: string, temporary: string, folder: string): Promise<void> {
  const built = join(temporary, 'worker');
  const builder = 'scripts/build-worker.mjs';
  await openProject(project, temporary).run(
    existsSync(join(project, builder))
      ? ['node', builder, 'src/index.ts', built, '--one-file']
      : ['npx', 'wrangler', 'deploy', '--dry-run', '--minify', '--outdir', built],
  );
  const [module = '', ...more] = readdirSync(built).filter((name) => !/\.map$|^README\.md$/.test(name));
  if (more.length > 0) throw new Error(`the Worker has other files beside ${module}: ${more.join(', ')}`);
  const worker = readFileSync(join(built, module), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  if (Buffer.byteLength(worker) <= MAX_PLAIN_BYTES) writeFileSync(join(folder, 'worker.mjs'), worker);
  else {
    const compressed = gzipSync(worker, { level: 9 });
    compressed[OS_BYTE] = UNKNOWN_OS;
    writeFileSync(join(folder, 'worker.mjs.gz'), compressed);
  }
  // Its comments are about that release, for people who read its repository.
  const settings = readFileSync(join(project, 'wrangler.toml'), 'utf8').replaceAll(/^#.*\n/gm, '');
  writeFileSync(join(folder, 'wrangler.toml'), settings);
}
