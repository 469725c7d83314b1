import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { SOURCES } from '../../../scripts/built-worker.ts';
import { readOrMake } from '../../../scripts/build-cache.ts';
import { runProcess, strangersEnv, type Outcome } from '../../scripts/support/processes.ts';
import { buildModules } from '../../../scripts/worker-modules.ts';
import { copyProject, NODE, ROOT } from '../../scripts/support/project.ts';
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
 * `openDeploys` with the Worker already built, once for all files: a deploy by wrangler uploads it as it is, without its
 * source maps. For tests of what comes after the build, which takes half of a deploy.
 */
export async function openBuiltDeploys(options: CloudflareOptions = {}): Promise<Deploys> {
  const deploys = await openDeploys(options, copyProject(UNCHANGED));
  const built = join(deploys.folder, 'built');
  await readOrMake({
    root: ROOT,
    name: 'worker-of-tests',
    sources: SOURCES,
    read: (path) => cpSync(path, built, { recursive: true }),
    make: async () => void (await buildModules(ROOT, 'src/index.ts', built)),
    write: (path) => cpSync(built, path, { recursive: true }),
  });
  // What the build writes for browsers is not in git.
  cpSync(join(ROOT, 'public/assets'), join(deploys.folder, 'public/assets'), { recursive: true });
  const toml = join(deploys.folder, 'wrangler.toml');
  const settings = readFileSync(toml, 'utf8');
  const [main, build, maps] = [/^main = .*$/m, /^\[build\]\ncommand = .*$/m, /^upload_source_maps = true$/m];
  for (const part of [main, build, maps]) expect(settings).toMatch(part);
  writeFileSync(toml, settings.replace(main, 'main = "built/index.mjs"').replace(build, '').replace(maps, ''));
  return deploys;
}

/** Changes the modules of a built Worker. Fails if all stay the same. */
export function editBuilt({ folder }: Deploys, edit: (module: string) => string): void {
  const built = join(folder, 'built');
  const modules = readdirSync(built).filter((name) => name.endsWith('.mjs'));
  const edited = modules.filter((name) => {
    const module = readFileSync(join(built, name), 'utf8');
    const text = edit(module);
    writeFileSync(join(built, name), text);
    return text !== module;
  });
  expect(edited.length).toBeGreaterThan(0);
}

// No test edits these: the Worker is built, and is edited as such.
const UNCHANGED = ['src', 'browser', 'cli', 'bench', 'docs', 'changelog'];

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
