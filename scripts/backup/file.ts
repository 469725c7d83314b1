import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Dirent,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { STATISTICS } from '../../src/operator/statistics.ts';
import { UsageError } from '../cli-error.ts';
import { isAlive } from '../lock.ts';
import { OWNER_ONLY } from '../secret-file.ts';

/**
 * A backup is a file of JSON lines: a head; for each table a line that names it and its columns, then a line for each
 * row; and a foot with the number of rows of each table and a SHA-256 of everything before it. Integers are decimal
 * texts, and bytes are in base64. The rows of Durable Objects are the last ones (statistics.ts, limits.ts).
 */

/** A row's values, in the order of its table's columns. */
export type Row = readonly (string | null)[];

const head = z.strictObject({
  terse_backup: z.literal(1, { error: 'was written by another version of the tool' }),
  /** The version of Terse that wrote it. */
  version: z.string(),
  /** The result of `schemaOf` for the database. */
  schema: z.string(),
  made_at: z.iso.datetime(),
});
const section = z.strictObject({ table: z.string(), columns: z.array(z.string()).readonly() });
const row = z.array(z.string().nullable()).readonly();
const foot = z.strictObject({ rows: z.record(z.string(), z.int()), sha256: z.string() });

type Head = z.infer<typeof head>;
export type Section = z.infer<typeof section>;
export type Foot = z.infer<typeof foot>;

/**
 * Writes a backup under a temporary name and renames it at the end, so that the file is complete or absent. Only its
 * owner can read it. Throws `UsageError` if the file cannot be created, or if it exists and `force` is false.
 */
export async function writeBackup(
  path: string,
  { force }: { readonly force: boolean },
  write: (line: (value: object) => void) => Promise<Foot['rows']>,
): Promise<Foot> {
  const partial = `${path}.partial-${process.pid}`;
  const file = openNew(path, partial, force);
  const hash = createHash('sha256');
  try {
    const rows = await write((value) => {
      const line = `${JSON.stringify(value)}\n`;
      hash.update(line);
      writing(path, () => writeFileSync(file, line));
    });
    const end = { rows, sha256: hash.digest('hex') };
    writing(path, () => {
      writeFileSync(file, `${JSON.stringify(end)}\n`);
      fsyncSync(file);
    });
    refuseExisting(path, force);
    writing(path, () => renameSync(partial, path));
    return end;
  } finally {
    closeSync(file);
    rmSync(partial, { force: true });
  }
}

// Writes all of it or throws: on a full disk a single write may write only a part of a line, without an error.
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${path} cannot be written (${reason}): the incomplete file has been removed.`, { cause });
  }
}

function openNew(path: string, partial: string, force: boolean): number {
  refuseExisting(path, force);
  removeAbandoned(path);
  try {
    return openSync(partial, 'wx', OWNER_ONLY);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written: name a file in a folder that you can write.`, { cause });
  }
}

// A killed process leaves its file, which has hashes of passwords. That of a process that works now has its id.
function removeAbandoned(path: string): void {
  const folder = dirname(path);
  for (const entry of entriesOf(folder)) {
    const [, pid] = PARTIAL.exec(entry.name) ?? [];
    if (pid === undefined || !entry.isFile() || isAlive(Number(pid))) continue;
    const file = join(folder, entry.name);
    try {
      if (isBackup(file)) rmSync(file, { force: true });
    } catch {
      // That of another user, who removes it.
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // The next step says why.
    return [];
  }
}

const PARTIAL = /\.partial-([1-9]\d{0,9})$/;
const BEGINNING = '{"terse_backup":';

// Another program may use such names too. An empty file has nothing to hide.
function isBackup(file: string): boolean {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(BEGINNING.length);
    readSync(opened, bytes, 0, bytes.length, 0);
    return bytes.toString() === BEGINNING;
  } finally {
    closeSync(opened);
  }
}

function refuseExisting(path: string, force: boolean): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Renaming a file to a device would replace the device.
  if (found && !found.isFile()) throw new UsageError(`${path} is not an ordinary file: name another one.`);
  if (found && !force) throw new UsageError(`${path} already exists: name another file, or add --force.`);
}

/** The contents of a backup after its head, from top to bottom. */
type Part = { readonly section: Section } | { readonly row: Row };

/** Reads a backup that `checkBackup` has accepted. */
export async function* readParts(path: string): AsyncGenerator<Part, void> {
  let index = 0;
  for await (const line of readLines(path)) {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value)) yield { row: row.parse(value) };
    else if (index++ > 0 && !foot.safeParse(value).success) yield { section: section.parse(value) };
  }
}

/** The facts about a complete backup. */
export interface Checked extends Head, Foot {
  /** The columns of each table, in the order of its rows. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** The newest version that the tables of click statistics have; 0 without click statistics. */
  readonly statisticsSchema: number;
}

/**
 * Reads a whole backup, and returns its facts. Throws `UsageError` if the file is not a backup, is not complete, or was
 * changed.
 */
export async function checkBackup(path: string): Promise<Checked> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`There is no file ${path}: name the backup to restore.`);
  }
  const hash = createHash('sha256');
  const counted: Record<string, number> = {};
  const columns = new Map<string, readonly string[]>();
  let [first, last, table]: [Head?, Foot?, string?] = [];
  let statisticsSchema = 0;
  for await (const line of readLines(path)) {
    const value = parse(line, path);
    first ??= head.safeParse(value).data;
    if (first === undefined) throw new UsageError(`${path} is not a backup that this version of Terse can read.`);
    if (last !== undefined) throw damaged(path);
    last = foot.safeParse(value).data;
    if (last !== undefined) continue;
    hash.update(`${line}\n`);
    const begun = section.safeParse(value).data;
    if (begun) {
      counted[(table = begun.table)] ??= 0;
      // All sections of a table must have the same columns, except that two clients may have tables of two versions.
      if (columns.has(table) && !table.startsWith(STATISTICS) && !isDeepStrictEqual(columns.get(table), begun.columns))
        throw damaged(path);
      columns.set(table, begun.columns);
    } else if (table !== undefined) {
      counted[table]! += 1;
      if (table === STATISTICS)
        statisticsSchema = Math.max(statisticsSchema, Number(row.safeParse(value).data?.[2] ?? 0));
    }
  }
  const isWhole = last?.sha256 === hash.digest('hex') && isDeepStrictEqual(counted, last.rows);
  if (first === undefined || last === undefined || !isWhole) throw damaged(path);
  return { ...first, ...last, columns, statisticsSchema };
}

// Without readline, which ends a line at U+2028 too.
async function* readLines(path: string): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parse(line: string, path: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw damaged(path, cause);
  }
}

function damaged(path: string, cause?: unknown): UsageError {
  return new UsageError(`${path} is damaged or not a backup: nothing was changed.`, { cause });
}
