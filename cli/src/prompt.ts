import { interrupt, onInterrupt } from './interrupt.ts';
import { usageFailure } from './outcome.ts';

/** Reads what a person types. Questions go to stderr, so that stdout has the output alone. */

const MAX_STDIN_BYTES = 10 * 1024 * 1024;

let lines: string[] | null = null;

/** Asks for a line. Without a terminal it is the next line of stdin. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) {
    lines ??= (await readStdin()).split(/\r?\n/);
    return lines.shift() ?? '';
  }
  process.stderr.write(question);
  return readLine(isSecret);
}

/** All of stdin, as text. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_STDIN_BYTES) throw usageFailure('Standard input has more than 10 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// The terminal is in raw mode, since only then it does not show what is typed.
function readLine(isSecret: boolean): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  const forget = onInterrupt(() => stdin.setRawMode(false));
  return new Promise((resolve) => {
    let line = '';
    const end = () => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      forget();
      stderr.write('\n');
      resolve(line);
    };
    const read = (data: string) => {
      for (const character of data) {
        if (character === '\u0003') {
          stderr.write('\n');
          interrupt();
        }
        if (character === '\r' || character === '\n' || character === '\u0004') return end();
        if (character === '\u007F' || character === '\b') {
          if (!isSecret && line !== '') stderr.write('\b \b');
          line = line.replace(/.$/su, '');
        } else if (character >= ' ') {
          line += character;
          if (!isSecret) stderr.write(character);
        }
      }
    };
    stdin.on('data', read);
    stdin.resume();
  });
}
