import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Makes sure that the workerd of this process ends even if this process is killed; otherwise it would run on without
 * the lock of its state. Returns a function that cancels this, for when workerd has ended.
 */
export function endWorkerdWithThis(): () => void {
  const own = process.platform === 'win32' ? [] : workerdOf(process.pid);
  if (own.length === 0) return () => {};
  // The shell reads until a line arrives, or until this process ends and the pipe is closed.
  const watch = spawn('sh', ['-c', 'read -r line || kill -9 "$@"', 'sh', ...own.map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell there is no watch.
  watch.on('error', () => {});
  watch.stdin.on('error', () => {});
  watch.unref();
  return () => watch.stdin.end('\n');
}

/** The process ids of the workerd that a process has started. */
export function workerdOf(parent: number): number[] {
  return processes()
    .filter((each) => each.parent === parent && each.name.includes('workerd'))
    .map(({ pid }) => pid);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function processes(): readonly Process[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap(readStat);
  } catch {
    // For systems without /proc.
    return readPs();
  }
}

function readStat(pid: string): Process[] {
  try {
    // proc_pid_stat(5): the name is in parentheses, after it come the state and the parent.
    const [, name = '', parent] = /^\d+ \(([^]*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return [{ pid: Number(pid), parent: Number(parent), name }];
  } catch {
    // The process has just ended.
    return [];
  }
}

function readPs(): Process[] {
  try {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm=']).toString().trim().split('\n');
    return lines.map((line) => {
      const [pid, parent, ...name] = line.trim().split(/ +/);
      return { pid: Number(pid), parent: Number(parent), name: name.join(' ') };
    });
  } catch {
    return [];
  }
}
