import { interrupt, onInterrupt } from './interrupt.ts';
import { Failure, usageFailure } from './outcome.ts';

/** Reads what a person types. Questions go to stderr, so that stdout has the output alone. */

const MAX_STDIN_BYTES = 10 * 1024 * 1024;

let lines: string[] | null = null;

/** Asks for a line. Without a terminal it is the next line of stdin. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) {
    lines ??= (await readText()).split(/\r?\n/);
    return lines.shift() ?? '';
  }
  process.stderr.write(question);
  return readLine(isSecret);
}

/** All of stdin, as text. Throws a failure if it is not UTF-8. */
export async function readText(): Promise<string> {
  const bytes = await readBytes();
  const text = decoded(bytes);
  if (text !== null) return text;
  const line = firstLineNotUtf8(bytes);
  const details = { code: 'invalid_encoding', line, place: `Line ${line}` };
  throw new Failure('Standard input is not valid UTF-8.', details);
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

const LINE_FEED = 0x0a;

// No character of UTF-8 has the byte of a line feed within it.
function firstLineNotUtf8(bytes: Uint8Array): number {
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1 || decoded(bytes.subarray(start, end)) === null) return line;
    [line, start] = [line + 1, end + 1];
  }
}

/** All of stdin. */
export async function readBytes(): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_STDIN_BYTES) throw usageFailure('Standard input has more than 10 MiB.');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

// What was typed, or pasted, after the end of a line is the beginning of the next one.
let typedAhead = '';

// The terminal is in raw mode, since only then it does not show what is typed.
function readLine(isSecret: boolean): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  const forget = onInterrupt(() => stdin.setRawMode(false));
  return new Promise((resolve) => {
    let line = '';
    const end = (rest = '') => {
      typedAhead = rest;
      stdin.off('data', read).off('end', end);
      stdin.setRawMode(false);
      stdin.pause();
      forget();
      stderr.write('\n');
      resolve(line);
    };
    const read = (data: string) => {
      for (const [index, character] of data.split('').entries()) {
        if (character === INTERRUPT) {
          stderr.write('\n');
          interrupt();
        }
        if (END_OF_LINE.includes(character)) return end(data.slice(index + 1));
        if (ERASE.includes(character)) {
          if (!isSecret && line !== '') stderr.write('\b \b');
          line = line.slice(0, -1);
        } else if (character >= ' ') {
          line += character;
          if (!isSecret) stderr.write(character);
        }
      }
    };
    stdin.on('data', read).once('end', end);
    stdin.resume();
    if (typedAhead !== '') read(typedAhead);
  });
}

const INTERRUPT = '\u0003';
const END_OF_LINE = '\r\n\u0004';
const ERASE = '\u007F\b';
