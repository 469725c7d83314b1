import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** The resources of processes, as the operating system counts them. */

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** CPU time of a process and of all that it has started, in seconds. */
export function cpuSecondsOf(pid: number): number {
  return treeOf(pid).reduce((sum, each) => sum + Math.max(each.cpuSeconds, threadSecondsOf(each.pid)), 0);
}

// The times of a process are in steps of 10 ms, longer than few visits take; those of its threads are exact, without
// the threads that have ended.
function threadSecondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + nanosecondsIn(`/proc/${pid}/task/${thread}/schedstat`), 0) / 1e9;
  } catch {
    return 0;
  }
}

// The first number is in nanoseconds: https://docs.kernel.org/scheduler/sched-stats.html
function nanosecondsIn(schedstat: string): number {
  return Number(readFileSync(schedstat, 'utf8').split(' ')[0]);
}

/** CPU time of the workerd that a process has started, in seconds. */
export function workerdCpuSecondsOf(pid: number): number {
  return workerdsOf(pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/**
 * CPU time of the thread in which the workerd that a process has started runs JavaScript, in milliseconds; where the
 * operating system does not count threads by themselves, that of all its threads.
 */
export function mainThreadCpuMsOf(pid: number): number {
  const [workerd] = workerdsOf(pid);
  if (workerd === undefined) return Number.NaN;
  const file = `/proc/${workerd.pid}/task/${workerd.pid}/schedstat`;
  return existsSync(file) ? nanosecondsIn(file) / 1e6 : workerd.cpuSeconds * 1000;
}

/** Resident memory of the workerd that a process has started, in bytes. */
export function workerdBytesOf(pid: number): number {
  return workerdsOf(pid).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

function workerdsOf(pid: number): Process[] {
  return treeOf(pid).filter(({ name }) => /(^|\/)workerd$/.test(name));
}

/** After this time, clicks are packed and sent. */
export const PACKED_MS = 1500;

/** The seconds that the queue of clicks waits for a batch, as in wrangler.toml. */
export const BATCH_SECONDS = 5;
const IDLE_LOOK_MS = 500;
const IDLE_SHARE = 0.1;
const IDLE_MS = 20_000;

/**
 * Waits until a process has done its deferred work, which counts for the requests that caused it.
 *
 * @param batchSeconds how long its queue waits for a batch
 */
export async function settled(pid: number, batchSeconds = BATCH_SECONDS): Promise<void> {
  // Clicks are packed for a second, wait for a batch, and are then counted.
  await setTimeout((1 + batchSeconds + 1) * 1000);
  await idle(pid);
}

/** Waits until a process does hardly anything. */
export async function idle(pid: number): Promise<void> {
  for (let looks = 0; looks < 60; looks++) {
    const before = cpuSecondsOf(pid);
    await setTimeout(IDLE_LOOK_MS);
    if (cpuSecondsOf(pid) - before < (IDLE_SHARE * IDLE_LOOK_MS) / 1000) return;
  }
}

/** The share of a core that a process takes while it has no work. */
export async function idleShareOf(pid: number): Promise<number> {
  await settled(pid);
  const before = cpuSecondsOf(pid);
  await setTimeout(IDLE_MS);
  return ((cpuSecondsOf(pid) - before) * 1000) / IDLE_MS;
}

function treeOf(root: number): Process[] {
  const all = existsSync('/proc/self/stat') ? readProc() : readPs();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

let units: { readonly ticksPerSecond: number; readonly pageBytes: number } | null = null;

function readUnits() {
  const [ticksPerSecond = 0, pageBytes = 0] = ['CLK_TCK', 'PAGESIZE'].map((name) =>
    Number(execFileSync('getconf', [name], { encoding: 'utf8' })),
  );
  return { ticksPerSecond, pageBytes };
}

// proc_pid_stat(5): after the name in parentheses come the state, the parent, and nine more fields before the two
// times.
function readProc(): Process[] {
  const { ticksPerSecond, pageBytes } = (units ??= readUnits());
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const text = readStat(entry);
      if (text === null) return [];
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const field = (index: number) => Number(fields[index]);
      return {
        pid: Number(entry),
        parent: field(1),
        name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
        cpuSeconds: (field(11) + field(12)) / ticksPerSecond,
        residentBytes: field(21) * pageBytes,
      };
    });
}

function readStat(entry: string): string | null {
  try {
    return readFileSync(`/proc/${entry}/stat`, 'utf8');
  } catch {
    return null;
  }
}

function readPs(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time=,rss=,comm='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, time, kibibytes, name] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (time === undefined || name === undefined) return [];
    const residentBytes = Number(kibibytes) * 1024;
    return { pid: Number(pid), parent: Number(parent), name, cpuSeconds: readTime(time), residentBytes };
  });
}

// [[days-]hours:]minutes:seconds, from ps(1).
function readTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 24 * 3600;
}
