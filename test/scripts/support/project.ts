import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEPT } from '../../../scripts/build-cache.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from './processes.ts';

/** The project as its users have it: its files, its packages, its commands. */

export const ROOT = join(import.meta.dirname, '../../..');

/** The toolchain's own Node. */
export const NODE = join(ROOT, 'node_modules/.bin/node');

/**
 * A folder with what a clone would have, and its packages installed: .dev.vars and .wrangler are per folder, and the
 * developer's own must stay as they are. The tests are left out, since no tool reads them.
 *
 * @param linked folders such as `src` that are links to this project's own, which takes a tenth of the time: for tests
 *   that do not build the Worker, nor change a file there
 */
export function copyProject(linked: readonly string[] = []): string {
  const folder = makeFolder();
  for (const name of linked) symlinkSync(join(ROOT, name), join(folder, name));
  const files = listFiles().filter(
    (file) => !linked.includes(file.split('/', 1)[0] ?? '') && existsSync(join(ROOT, file)),
  );
  for (const parent of new Set(files.map(dirname))) mkdirSync(join(folder, parent), { recursive: true });
  for (const file of files) copyFileSync(join(ROOT, file), join(folder, file));
  linkPackages(folder);
  return folder;
}

function listFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT });
  return listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith('test/'));
}

/**
 * Gives a copy of the project its packages: one link for each that it names, whose own packages are found where they
 * are, so that whatever is written to node_modules stays there, but for what starts keep for each other.
 */
export function linkPackages(folder: string): void {
  mkdirSync(join(ROOT, KEPT), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Packages;
  const named = new Set(Object.keys({ ...dependencies, ...devDependencies }).map((name) => name.split('/', 1)[0]));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && !named.has(name)) continue;
    if (name === '.installed') cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    else symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

type Packages = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;

/** Runs `npm` in a copy of the project, as someone would who has nothing but Node. */
export function runNpm(folder: string, args: readonly string[]): Promise<Outcome> {
  return runProcess('npm', args, { cwd: folder });
}

/** Runs a command of the operator's tool on the data of a folder. */
export function runAccount(persistTo: string, args: readonly string[], stdin?: string | Uint8Array): Promise<Outcome> {
  return runTool(['scripts/account.ts', ...args, '--persist-to', persistTo], stdin);
}

/** Runs a script with the toolchain's Node, in the project's folder. */
export function runTool(args: readonly string[], stdin: string | Uint8Array = ''): Promise<Outcome> {
  return runProcess(NODE, args, { cwd: ROOT, env: strangersEnv(), stdin });
}

/** Reads the output on the lines `name: …`, each alone on its line. */
export function printed(output: string, name: string): string[] {
  return [...output.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].map(([, value]) => value ?? '');
}

/** Reads the output on the one line `name: …`. Throws where there is none, or more than one. */
export function printedOnce(output: string, name: string): string {
  const [value, ...more] = printed(output, name);
  if (value === undefined || more.length > 0) throw new Error(`not one line "${name}: …" in:\n${output}`);
  return value;
}

/** The account that a first start prints. */
export interface PrintedAccount {
  readonly user: string;
  readonly password: string;
  readonly clientId: string;
  readonly apiKey: string;
}

/** Reads it, each value alone on its line. */
export function printedAccount(output: string): PrintedAccount {
  const only = (name: string) => printedOnce(output, name);
  return { user: only('user'), password: only('password'), clientId: only('client_id'), apiKey: only('api_key') };
}

/** The lines a program said for itself; npm's own are left out. */
export function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm '));
}
