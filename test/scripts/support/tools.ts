import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { account } from '../../../scripts/account.ts';
import { backup } from '../../../scripts/backup.ts';
import { changelog } from '../../../scripts/changelog.ts';
import { report } from '../../../scripts/cli-error.ts';
import type { withService } from '../../../scripts/operator.ts';
import { release } from '../../../scripts/release.ts';
import { restore } from '../../../scripts/restore.ts';
import { prepareStart } from '../../../scripts/start-checks.ts';
import type { Outcome } from './processes.ts';
import { refuseAfterTimeout } from './scope.ts';

/**
 * The operator's tools in this process, since a process of their own takes a second more. A few tests of each start one.
 */

/** @param serve opens the service; by default as the tool does, in a workerd of its own for each command */
export function callAccount(
  args: readonly string[],
  stdin: string | Uint8Array = '',
  serve?: typeof withService,
): Promise<Outcome> {
  return call(() => account(args, Readable.from([Buffer.from(stdin)]), serve));
}

/** The changelog's tools, in a copy of the project with the same sources. */
export function callChangelog(folder: string): Promise<Outcome> {
  return call(async () => changelog(folder));
}

export function callRelease(folder: string, args: readonly string[]): Promise<Outcome> {
  return call(async () => release(folder, args));
}

/** Checks a start in a copy of the project, as far as no server is needed for it. */
export function callStart(folder: string, args: readonly string[]): Promise<Outcome> {
  return call(async () => {
    const former = process.cwd();
    process.chdir(folder);
    try {
      await prepareStart(args);
    } finally {
      process.chdir(former);
    }
  });
}

export function callBackup(args: readonly string[]): Promise<Outcome> {
  return call(() => backup(args));
}

export function callRestore(args: readonly string[]): Promise<Outcome> {
  return call(() => restore(args));
}

let last: Promise<unknown> = Promise.resolve();

/** Runs a tool to its end, and gives what its process would print and its exit code. */
function call(tool: () => Promise<void>): Promise<Outcome> {
  // One after the other, since their output would be mixed.
  const outcome = last.then(() => {
    refuseAfterTimeout();
    return listenTo(tool);
  });
  last = outcome.catch(() => {});
  return outcome;
}

async function listenTo(tool: () => Promise<void>): Promise<Outcome> {
  const said = { stdout: '', stderr: '' };
  const to =
    (stream: keyof typeof said) =>
    (first: unknown, ...more: readonly unknown[]) => {
      said[stream] += `${format(first, ...more)}\n`;
    };
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(to('stdout')),
    vi.spyOn(console, 'error').mockImplementation(to('stderr')),
  ];
  try {
    const code = await tool().then(() => 0, report);
    return { code, ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
