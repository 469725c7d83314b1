import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** The circumstances of a report. */
export interface Machine {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGib: number;
  /** The mean number of processes that wanted a core in the minute before. */
  readonly load: number;
  /** The commit that was measured, with a `+` if files differ from it. */
  readonly commit: string;
}

export function machineOf(): Machine {
  const [first] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    load: loadavg()[0] ?? 0,
    commit: commit(),
  };
}

function commit(): string {
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
}
