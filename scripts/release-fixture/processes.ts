import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../cli-error.ts';
import { QUIET_WRANGLER } from '../wrangler.ts';

/** The commands of a project, run as its users run them. */
export interface Project {
  /** Runs a command to its end and returns what it printed. Throws a `UsageError` with its output if it fails. */
  run(command: readonly [string, ...string[]], stdin?: string): Promise<string>;
  /** Starts the service, and resolves when it responds. Throws a `UsageError` with its output if it ends before. */
  start(port: number, args: readonly string[]): Promise<Running>;
}

interface Running {
  readonly origin: string;
  /** Ends the service; resolves when all of its processes have ended. */
  end(): Promise<void>;
}

/**
 * Opens a project whose packages are installed.
 *
 * @param folder the project's folder
 * @param temporary a folder for what its tools write outside of it
 */
export function openProject(folder: string, temporary: string): Project {
  const env = environment(temporary);
  // A group of its own, since npm does not pass all signals on.
  const begin = ([program, ...args]: readonly [string, ...string[]]) => {
    const child = spawn(program, args, { cwd: folder, env, detached: true });
    const kill = () => signal(child, 'SIGKILL');
    // Before the folders are removed, in which the program writes.
    process.prependOnceListener('exit', kill);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    }).finally(() => process.off('exit', kill));
    return { child, ended };
  };
  return {
    async run(command, stdin = '') {
      const { child, ended } = begin(command);
      child.stdin.end(stdin);
      const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
      if (code !== 0) throw new UsageError(`"${command.join(' ')}" failed in ${folder}:\n${stdout}${stderr}`);
      return stdout;
    },
    async start(port, args) {
      const origin = `http://localhost:${port}`;
      // Without prestart, which would install the packages once more as soon as the lockfile has another version.
      const { child, ended } = begin(['npm', 'start', '--ignore-scripts', '--', '--port', String(port), ...args]);
      child.stdin.end();
      const said = [collect(child.stdout), collect(child.stderr)];
      while (!(await responds(origin))) {
        if (child.exitCode === null && child.signalCode === null) continue;
        throw new UsageError(`"npm start" ended in ${folder}:\n${said.map((each) => each()).join('')}`);
      }
      const end = async () => {
        signal(child, 'SIGINT');
        const late = new AbortController();
        await Promise.race([ended, setTimeout(END_MS, undefined, { signal: late.signal })]);
        late.abort();
        signal(child, 'SIGKILL');
        await ended;
      };
      return { origin, end };
    },
  };
}

const END_MS = 30_000;
const POLL_MS = 200;

// Of an npm that runs this script the project's own npm should know nothing.
function environment(temporary: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return {
    ...Object.fromEntries(inherited),
    ...QUIET_WRANGLER,
    npm_config_update_notifier: 'false',
    XDG_CONFIG_HOME: temporary,
    TMPDIR: temporary,
  };
}

// Early releases say that they serve before they do, so they are asked.
async function responds(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/.well-known/jwks.json`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    await setTimeout(POLL_MS);
    return false;
  }
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // The group has ended.
  }
}
