import { Readable } from 'node:stream';
import { format } from 'node:util';
import { vi } from 'vitest';
import { account } from '../../../scripts/account.ts';
import { backup } from '../../../scripts/backup.ts';
import { report } from '../../../scripts/cli-error.ts';
import { restore } from '../../../scripts/restore.ts';
import type { Outcome } from './processes.ts';
import { refuseAfterTimeout } from './scope.ts';

/**
 * The operator's tools in this process, since a process of their own takes a second more. A few tests of each start one.
 */

export function callAccount(args: readonly string[], stdin: string | Uint8Array = ''): Promise<Outcome> {
  return call(() => account(args, Readable.from([Buffer.from(stdin)])));
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
  // One after the other, since their output could not be told apart.
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
