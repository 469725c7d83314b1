import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Calls `end` once the npm that runs this script has ended, or the shell between them. A signal to npm alone need not reach
 * what it runs, and SIGKILL never does: a server would keep its port with nothing at the terminal to end it by.
 *
 * Without npm nothing is watched: a program whose parent ends goes on, as with `nohup`.
 */
export function endWithNpm(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const npm = isShellOfNpm(parent) ? parentOf(parent) : null;
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(watch);
    end();
  }, LOOK_MILLISECONDS);
  watch.unref();
}

const LOOK_MILLISECONDS = 1000;

// npm runs a script as `sh -c "COMMAND"`, and some shells put the command into their own place.
function isShellOfNpm(pid: number): boolean {
  return (commandOf(pid) ?? '').includes(process.env['npm_lifecycle_script'] ?? 'npm_lifecycle_script');
}

function commandOf(pid: number): string | null {
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? ask(pid, 'args');
}

function parentOf(pid: number): number | null {
  // proc_pid_stat(5): after the name in parentheses come the state and the parent.
  const stat = readProc(pid, 'stat');
  const parent = stat === null ? ask(pid, 'ppid') : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent == null ? null : Number(parent);
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

// Systems without /proc. Null where there is no such process.
function ask(pid: number, field: 'args' | 'ppid'): string | null {
  try {
    const said = execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
    return said.toString().trim() || null;
  } catch {
    return null;
  }
}
