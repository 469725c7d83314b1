import { once } from 'node:events';
import { EXIT } from './outcome.ts';
import { reasonOf } from './reasons.ts';
import { plainJson } from './text.ts';

/** Prints texts, rows and errors to the streams of the command. */

/**
 * Ends the command when its output cannot be written: quietly if what reads it has closed it, as `head` does, or else
 * with a sentence.
 */
export function endOnLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      if (stream === process.stdout) console.error(`terse: The output cannot be written: ${reasonOf(error)}.`);
      process.exit(EXIT.failed);
    });
  }
}

export function isTerminal(): boolean {
  return process.stdout.isTTY;
}

/** The columns of the terminal; 80 where they are not known. */
export function columns(): number {
  return process.stdout.columns || 80;
}

// https://no-color.org: any value that is not empty.
export function hasColours(): boolean {
  return isTerminal() && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

type Style = 'bold' | 'dim' | 'blue' | 'green' | 'red';

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  blue: [34, 39],
  green: [32, 39],
  red: [31, 39],
};

/** A text in a style, where there are colours. */
export function styled(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return hasColours() ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}

/** Prints a text, and waits while what reads it is slower. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

export async function printLine(text: string): Promise<void> {
  await print(`${text}\n`);
}

export async function printJson(value: unknown): Promise<void> {
  await printLine(plainJson(value));
}

/** A note beside the output, which is left out of what is piped on. */
export function note(text: string): void {
  console.error(text);
}
