import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 5000;

/** The processes and the files of the bench. All of them are ended and removed with the bench, however it ends. */
export class Sandbox {
  /** The folder for all files, including those of the child processes. */
  readonly folder = mkdtempSync(join(tmpdir(), 'terse-bench-'));
  readonly #running = new Set<ChildProcess>();

  constructor() {
    for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = this.folder;
    process.once('exit', () => this.#remove());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
    }
  }

  /**
   * Takes charge of a process that was started `detached`: it leads a process group, so that all that it starts ends
   * with it.
   */
  adopt(child: ChildProcess): ChildProcess {
    this.#running.add(child);
    child.once('exit', () => {
      signalGroup(child, 'SIGKILL');
      this.#running.delete(child);
    });
    return child;
  }

  /** Ends a process, and all that it has started. */
  async end(child: ChildProcess): Promise<void> {
    await endGroup(child);
  }

  /** Ends every child process, and all processes that these have started. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.end(child)));
  }

  async close(): Promise<void> {
    await this.endAll();
    this.#remove();
  }

  #remove(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  signalGroup(child, 'SIGTERM');
  await Promise.race([ended, setTimeout(TIMEOUT_MS, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, name);
  } catch {
    // The group has ended.
  }
}
