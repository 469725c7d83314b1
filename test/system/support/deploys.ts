import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { SOURCES } from '../../../scripts/built-worker.ts';
import { readOrMake } from '../../../scripts/build-cache.ts';
import { runProcess, strangersEnv, type Outcome } from '../../scripts/support/processes.ts';
import { copyProject, NODE, ROOT, runTool } from '../../scripts/support/project.ts';
import { startCloudflare, type Cloudflare, type CloudflareOptions } from './cloudflare/cloudflare.ts';

/** `npm run deploy` from a copy of the project, to a stub of Cloudflare. */
export interface Deploys {
  /** The copy of the project. */
  readonly folder: string;
  readonly cloudflare: Cloudflare;
  readonly deploy: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs another script of the project there, such as `scripts/account.ts`. */
  readonly runScript: (...args: readonly string[]) => Promise<Outcome>;
  /** Runs lines of a shell there. */
  readonly runShell: (lines: string) => Promise<Outcome>;
}

export async function openDeploys(options: CloudflareOptions = {}, folder = copyProject()): Promise<Deploys> {
  const cloudflare = await startCloudflare(options);
  onTestFinished(() => cloudflare.close());
  const run = (command: string, args: readonly string[]) =>
    runProcess(command, args, { cwd: folder, env: { ...strangersEnv(), ...cloudflare.env } });
  const runScript = (...args: readonly string[]) => run(NODE, args);
  const runShell = (lines: string) => run('sh', ['-ec', lines]);
  return { folder, cloudflare, runScript, runShell, deploy: (...args) => runScript('scripts/deploy.ts', ...args) };
}

/**
 * The same with the Worker already built, once for all files: a deploy by wrangler uploads it as it is. For tests of what
 * comes after the build, which takes half of a deploy.
 */
export async function openBuiltDeploys(options: CloudflareOptions = {}): Promise<Deploys> {
  const deploys = await openDeploys(options, copyProject(UNCHANGED));
  const built = join(deploys.folder, 'built');
  await readOrMake({
    root: ROOT,
    name: 'worker-of-tests',
    sources: SOURCES,
    read: (path) => cpSync(path, built, { recursive: true }),
    make: () => buildWorker(built),
    write: (path) => cpSync(built, path, { recursive: true }),
  });
  // What the build writes for browsers is not in git.
  cpSync(join(ROOT, 'public/assets'), join(deploys.folder, 'public/assets'), { recursive: true });
  const toml = join(deploys.folder, 'wrangler.toml');
  const settings = readFileSync(toml, 'utf8');
  const [main, build, minify] = [/^main = .*$/m, /^\[build\]\ncommand = .*$/m, /^minify = .*$/m];
  for (const part of [main, build, minify]) expect(settings).toMatch(part);
  const uploaded = settings.replace(main, 'main = "built/index.js"\nno_bundle = true');
  writeFileSync(toml, uploaded.replace(build, '').replace(minify, ''));
  return deploys;
}

/** Changes the module of a built Worker. Fails if it stays the same. */
export function editBuilt({ folder }: Deploys, edit: (module: string) => string): void {
  const file = join(folder, 'built/index.js');
  const module = readFileSync(file, 'utf8');
  const edited = edit(module);
  expect(edited === module).toBe(false);
  writeFileSync(file, edited);
}

// No test edits these: the Worker is built, and is edited as such.
const UNCHANGED = ['src', 'browser', 'cli', 'bench', 'docs', 'changelog'];

async function buildWorker(folder: string): Promise<void> {
  const wrangler = join(ROOT, 'node_modules/.bin/wrangler');
  // Its source map is four times as large, and no test reads it.
  const args = ['--dry-run', '--outdir', folder, '--upload-source-maps=false'];
  const { code, stderr } = await runTool([wrangler, 'deploy', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  // wrangler takes all files beside it for modules.
  rmSync(join(folder, 'README.md'));
}

/** Adds a migration to a copy of the project. */
export function addMigration(folder: string, sql: string): void {
  const number = readdirSync(join(folder, 'migrations')).length + 1;
  writeFileSync(join(folder, 'migrations', `${String(number).padStart(4, '0')}_of_a_test.sql`), sql);
}

/** The steps that a deploy has printed: what each says after its name. */
export function stepsOf({ stdout }: Outcome): Record<string, string> {
  const lines = stdout.split('\n').map((line) => /^(.{34}) (.+)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1]?.trim() ?? '', match[2] ?? '']] : [])));
}

/** Lists the requests that changed something, with `*` for ids; a query of D1 may be a question. */
export function changesOf(cloudflare: Cloudflare, from = 0): string[] {
  return cloudflare.requests
    .slice(from)
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f]{32}|[0-9a-f-]{36}/g, '*')}`);
}
