import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The commands that start the server and the load each on a core of its own: what goes before the command itself. */
export interface Cores {
  readonly server: readonly string[];
  readonly load: readonly string[];
}

/** Null if the machine has one core, or no command that binds a process to one. */
export function findCores(): Cores | null {
  const [server, load] = allowedCores();
  if (server === undefined || load === undefined) return null;
  if (spawnSync('taskset', ['--version']).status !== 0) return null;
  return { server: ['taskset', '-c', server], load: ['taskset', '-c', load] };
}

// proc_pid_status(5): a list such as `0-3,8`, which in a container need not begin with 0.
function allowedCores(): string[] {
  try {
    const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
    });
  } catch {
    return [];
  }
}
