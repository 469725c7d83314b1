import { parseArgs } from 'node:util';
import { UsageError } from '../../scripts/cli-error.ts';
import { DEFAULT_MEMORY_SECONDS } from '../../src/config/config.ts';

/** Another link shortener, which is served on this machine already. */
export interface Beside {
  readonly name: string;
  /** A short URL of it. */
  readonly url: URL;
  /** Its process, whose CPU is measured; null if it is not given. */
  readonly pid: number | null;
}

interface PageOptions {
  /** The file for the page. */
  readonly page: string;
  /** Visits a second, of each measurement. */
  readonly rates: readonly number[];
  readonly seconds: number;
  /** The length of each outage, and the rate of visits then. */
  readonly outageSeconds: number;
  readonly outagePerSecond: number;
  readonly memorySeconds: number;
  readonly beside: readonly Beside[];
}

const LIST =
  'The report takes --page FILE, --rates N,N,N, --seconds N, --outage SECONDS, --outage-rate N, --memory SECONDS and ' +
  '--beside NAME=URL[@PID], and nothing else.';

/** Reads the arguments of `npm run bench:report`. Throws `UsageError`. */
export function readPageOptions(args: readonly string[]): PageOptions {
  const values = parse(args);
  return {
    page: values.page,
    rates: values.rates.split(',').map((text) => readNumber('--rates', text)),
    seconds: readNumber('--seconds', values.seconds),
    outageSeconds: readNumber('--outage', values.outage),
    outagePerSecond: readNumber('--outage-rate', values['outage-rate']),
    memorySeconds: readNumber('--memory', values.memory),
    beside: values.beside.map(readBeside),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        page: { type: 'string', default: 'docs/figures.md' },
        rates: { type: 'string', default: '100,300,1000' },
        seconds: { type: 'string', default: '30' },
        outage: { type: 'string', default: '60' },
        'outage-rate': { type: 'string', default: '200' },
        memory: { type: 'string', default: String(DEFAULT_MEMORY_SECONDS) },
        beside: { type: 'string', multiple: true, default: [] },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(LIST, { cause });
  }
}

function readNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`${name} takes whole numbers from 1 to 9999.`);
  return Number(text);
}

function readBeside(text: string): Beside {
  const [, name = '', url = '', pid] = /^([^=]+)=(.+?)(?:@(\d+))?$/.exec(text) ?? [];
  const isLoopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/./.test(url);
  if (!isLoopback || !URL.canParse(url))
    throw new UsageError('--beside takes NAME=URL[@PID], the URL a short link that is served on this machine.');
  return { name, url: new URL(url), pid: pid === undefined ? null : Number(pid) };
}
