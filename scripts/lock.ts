import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { UsageError } from './cli-error.ts';
import { createStateFolder, noDataIn } from './state.ts';

/**
 * Only one process at a time works on a state, which is the folder given to `--persist-to`. Two files there ensure
 * that:
 *
 * - `server.lock`, on which that process holds a lock of the operating system, through SQLite. The system releases it
 * when the process ends, however it ends, so a held lock is never stale, and a reused process id does no harm. The file
 * stays, and is empty.
 * - `server.json`, which describes the holder, as `Holder` below.
 */

const holder = z.object({
  /** The process that holds the lock: `scripts/start.ts` or a tool. */
  pid: z.int().positive(),
  /** The origin of its server, such as `http://localhost:8787`; null for a tool, which has no server. */
  origin: z.url({ protocol: /^http$/ }).nullable(),
  /** When it took the lock: an ISO 8601 instant, in UTC. */
  started_at: z.iso.datetime(),
});

/** The process that works on a state. */
type Holder = z.infer<typeof holder>;

export interface Lock {
  /** Releases the lock before the process ends. The end of the process releases it too. */
  release(): void;
}

const [BUSY, NO_DATABASE] = [5, 26];
// `readLock` holds the lock for less than a millisecond.
const LOOKS_MILLISECONDS = 500;
const LOOK_TRIES = 20;
const LOOK_WAIT_MILLISECONDS = 50;

/**
 * Takes the lock of a state for this process, and creates the folder if it does not exist.
 *
 * @param origin the origin of this process's server; null for a tool, which has no server
 * @throws UsageError that names the process that holds the lock, or says that the folder cannot be written
 */
export async function takeLock(state: string, origin: string | null): Promise<Lock> {
  createStateFolder(state);
  const database = tryToLock(state, LOOKS_MILLISECONDS);
  if (database === null) throw inUse(state, await readLock(state));
  const release = () => {
    if (!database.isOpen) return;
    rmSync(holderFile(state), { force: true });
    database.close();
  };
  process.once('exit', release);
  try {
    writeHolder(state, { pid: process.pid, origin, started_at: new Date().toISOString() });
  } catch (cause) {
    release();
    throw noDataIn(state, cause);
  }
  return {
    release() {
      process.off('exit', release);
      release();
    },
  };
}

/** The process that works on a state now; null if there is none, or no such folder. Changes nothing. */
export async function readLock(state: string): Promise<Holder | null> {
  for (let tries = 1; existsSync(lockFile(state)); tries++) {
    const database = tryToLock(state, 0);
    if (database !== null) {
      database.close();
      return null;
    }
    const found = readHolder(state);
    if (found !== null && isAlive(found.pid)) return found;
    // The holder has not written `server.json` yet, or another process is in `readLock`.
    if (tries === LOOK_TRIES) throw inUse(state, null);
    await setTimeout(LOOK_WAIT_MILLISECONDS);
  }
  return null;
}

/** Throws the `UsageError` of `takeLock` if another process works on a state. Creates no folder and takes no lock. */
export async function refuseHolder(state: string): Promise<void> {
  const found = await readLock(state);
  if (found !== null) throw inUse(state, found);
}

function inUse(state: string, found: Holder | null): UsageError {
  const remedy = 'or use another folder with --persist-to DIR';
  if (found === null) return new UsageError(`Another process uses the data in ${state}: stop it first, ${remedy}.`);
  const { pid, origin } = found;
  return new UsageError(
    origin === null
      ? `Process ${pid} uses the data in ${state}: wait until it exits, ${remedy}.`
      : `Process ${pid} already serves the data in ${state}, at ${origin}: stop it first, ${remedy}.`,
  );
}

const lockFile = (state: string): string => join(resolve(state), 'server.lock');
const holderFile = (state: string): string => join(resolve(state), 'server.json');

// Null if another process has the lock. The journal is in memory, so that it leaves no file behind.
function tryToLock(state: string, timeout: number): DatabaseSync | null {
  const file = lockFile(state);
  let database: DatabaseSync | undefined;
  try {
    // SQLite opens a file that it cannot write in read-only mode, and then locks nothing.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    database = new DatabaseSync(file, { timeout });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    return database;
  } catch (cause) {
    database?.close();
    const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : null;
    if (code === BUSY) return null;
    if (code === NO_DATABASE) throw new UsageError(`${file} is damaged: remove it, and try again.`, { cause });
    throw noDataIn(state, cause);
  }
}

function writeHolder(state: string, value: Holder): void {
  const file = holderFile(state);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`);
  renameSync(draft, file);
}

function readHolder(state: string): Holder | null {
  try {
    return holder.safeParse(JSON.parse(readFileSync(holderFile(state), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
