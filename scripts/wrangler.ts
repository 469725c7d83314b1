import { spawn, spawnSync, type ChildProcess, type SpawnOptions, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/**
 * The wrangler of this project, on the Node that runs this script, regardless of PATH. Its program `wrangler` would start
 * a Node that starts this with the same argument.
 */
const WRANGLER = ['--no-warnings', fileURLToPath(import.meta.resolve('wrangler'))];

// Most of what wrangler does at its start is to be compiled: Node keeps that for the next time.
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/compiled');

/**
 * Switches off wrangler's telemetry, its check for updates, its request for a sample of `request.cf`, and its log in
 * the home.
 */
export const QUIET_WRANGLER = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_WRITE_LOGS: 'false',
};

/** Starts wrangler as a child of this script. */
export function startWrangler(
  args: readonly string[],
  options: SpawnOptions,
  env: Readonly<Record<string, string | undefined>> = {},
): ChildProcess {
  return spawn(process.execPath, [...WRANGLER, ...args], {
    ...options,
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...QUIET_WRANGLER, ...env },
  });
}

/** Runs wrangler to its end, and returns its output. */
export function runWrangler(args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...WRANGLER, ...args], {
    encoding: 'utf8',
    // Its results are printed at this level too.
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...QUIET_WRANGLER, WRANGLER_LOG: 'log' },
  });
}

/** The reason that wrangler gave for a failure, if any: on a line of its own, or in its JSON output. */
export function faultOf({ stdout, stderr }: Readonly<Record<'stdout' | 'stderr', string>>): string | undefined {
  const said = stripVTControlCharacters(stdout + stderr);
  const [, line, text] = /ERROR\W*(.+?)\.?\n|"text": ("(?:[^"\\]|\\.)*")/.exec(said) ?? [];
  return text === undefined ? line : String(JSON.parse(text)).replace(/\.$/, '');
}
