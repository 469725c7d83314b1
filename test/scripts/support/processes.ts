import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort as drawFreePort } from '../../../scripts/free-port.ts';
import { onTimeout, refuseAfterTimeout } from './scope.ts';

/** Real processes, each the leader of a group of its own, so that all it starts can be ended with it. */

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** The time after which it is killed, in milliseconds. */
  readonly deadlineMs?: number;
}

// Less than the time limit of a test, so that the error names the program that hung.
const DEADLINE_MS = 240_000;

const COMPILED = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

// Read once: a tool that a test calls in this process changes TMPDIR, and the folders would be ever deeper.
const TEMPORARY = tmpdir();

const folders: string[] = [];
const started = new Set<ChildProcess>();
let isOver = false;

const killAll = () => started.forEach((child) => signal(child, 'SIGKILL'));
process.once('exit', killAll);

/** A new folder that goes away with `cleanUp`. */
export function makeFolder(): string {
  refuseAfterwards();
  const folder = mkdtempSync(join(TEMPORARY, 'terse-test-'));
  folders.push(folder);
  return folder;
}

/**
 * Ends all processes and removes all folders, after the tests of a file or of a run. Nothing can be started after that.
 */
export async function cleanUp(): Promise<void> {
  isOver = true;
  for (const child of started) await endGroup(child);
  process.off('exit', killAll);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/**
 * What a user's shell gives: no trace of the npm or vitest that runs the tests, no packages on PATH, no Cloudflare
 * credentials, and a home of its own.
 */
export function strangersEnv() {
  const home = makeFolder();
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules|node-gyp/.test(folder));
  // npm's own look for news is none of ours.
  return {
    PATH: path.join(delimiter),
    HOME: home,
    TMPDIR: makeFolder(),
    npm_config_update_notifier: 'false',
    // Most of what a tool does is to compile itself: Node keeps that for the next of the many.
    NODE_COMPILE_CACHE: COMPILED,
  };
}

function refuseAfterwards(): void {
  refuseAfterTimeout();
  if (isOver) throw new Error('The tests of this file are over: nothing is started any more.');
}

/** Starts a program in a group of its own, which is ended if the test times out. */
export function startProcess(command: string, args: readonly string[], { cwd, env }: Surroundings): ChildProcess {
  refuseAfterwards();
  const child = spawn(command, args, { cwd, env: env ?? strangersEnv(), detached: true });
  started.add(child);
  child.once(
    'close',
    onTimeout(() => signal(child, 'SIGKILL')),
  );
  return child;
}

/**
 * Runs a program to its end, and gives its output. If it does not end in time, kills it with its children and throws.
 */
export async function runProcess(command: string, args: readonly string[], where: Surroundings): Promise<Outcome> {
  const child = startProcess(command, args, where);
  const [stdout, stderr] = [listen(child.stdout), listen(child.stderr)];
  // A program that ends without reading its input closes the pipe; that is its own affair.
  child.stdin?.on('error', () => {});
  child.stdin?.end(where.stdin ?? '');
  const deadlineMs = where.deadlineMs ?? DEADLINE_MS;
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), deadlineMs);
  });
  const code = await Promise.race([ended(child), deadline]).finally(() => clearTimeout(timer));
  if (code === late) {
    await endGroup(child);
    throw new Error(`${command} did not end within ${deadlineMs / 1000} s. It said:\n${stdout()}${stderr()}`);
  }
  started.delete(child);
  refuseAfterTimeout();
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Resolves with the exit code when the program and all that share its output have ended; null for a signal. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/** Collects what a stream says, as text. */
export function listen(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Sends a signal to a program and to all it has started, as a terminal does. */
export function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // The group has ended.
  }
}

/** The ids of the processes that a started program has left running, itself included. */
export function livingOf(child: ChildProcess): number[] {
  if (!existsSync('/proc/self/stat')) return isGroupAlive(child) ? [child.pid ?? 0] : [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const [state, , group] = readStat(name);
      return Number(group) === child.pid && state !== 'Z';
    })
    .map(Number);
}

/** The ports that some processes listen on, by IPv4; none where the system keeps no list (proc_pid_net(5)). */
export function portsOf(pids: readonly number[]): number[] {
  const sockets = new Set(pids.flatMap(filesOf));
  return linesOfTcp()
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && sockets.has(`socket:[${inode}]`))
    .map(([, address = '']) => parseInt(address.split(':')[1] ?? '', 16));
}

const LISTENING = '0A';

function linesOfTcp(): string[] {
  return existsSync('/proc/self/net/tcp') ? readFileSync('/proc/self/net/tcp', 'utf8').split('\n') : [];
}

// What the files are that a process has open, such as `socket:[1234]`.
function filesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // The file has been closed.
      return [];
    }
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  signal(child, 'SIGKILL');
  await until('the process ended', () => livingOf(child).length === 0);
  started.delete(child);
}

function isGroupAlive(child: ChildProcess): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

// proc_pid_stat(5): the fields after the name in parentheses are the state, the parent and the group.
function readStat(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

// Longer than the five minutes after which a cron repeats what did not succeed.
const PATIENCE_MILLISECONDS = 600_000;

/** Asks again and again until the answer is yes. Throws where it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await isSo())) {
    refuseAfterTimeout();
    if (Date.now() > deadline) throw new Error(`It never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A loopback port that nothing listens on, and that no other test gets until `cleanUp`. */
export const freePort = (): Promise<number> => drawFreePort(reservePort);

/** Tests run in several processes: the first one that creates the folder of a port has it. */
function reservePort(port: number): boolean {
  refuseAfterwards();
  const folder = join(TEMPORARY, `terse-test-port-${port}`);
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  folders.push(folder);
  return true;
}
