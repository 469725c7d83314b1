import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { makeFolder, runProcess, strangersEnv, type Outcome } from './processes.ts';
import { ROOT } from './project.ts';

/** The command of cli/, as its users run it. */

/** Packs the command and installs the tarball in a new folder, without a network. Gives the folder of its program. */
export async function installCli(): Promise<string> {
  const [packed, installed] = [makeFolder(), makeFolder()];
  const npm = async (cwd: string, ...args: string[]) => {
    const outcome = await runProcess('npm', args, { cwd });
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    return outcome.stdout;
  };
  await npm(join(ROOT, 'cli'), 'pack', '--pack-destination', packed);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8'));
  const tarball = join(packed, `${name}-${version}.tgz`);
  await npm(installed, 'install', '--offline', '--no-audit', '--no-fund', '--cache', makeFolder(), tarball);
  return join(installed, 'node_modules/.bin');
}

/** The environment of a call, besides that of a stranger. */
interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
}

export type Terse = (words: readonly string[], call?: Call) => Promise<Outcome>;

/** Runs the command of the repository. The settings of every call stay the same, so that a sign-in is kept. */
export function terseOf(folder: string, settings: Readonly<Record<string, string>> = {}): Terse {
  const base = strangersEnv();
  return (words, { env = {}, stdin = '', cwd = makeFolder() } = {}) =>
    runProcess('terse', words, {
      cwd,
      env: { ...base, PATH: [folder, base.PATH].join(delimiter), ...settings, ...env },
      stdin,
    });
}

/** The documents of NDJSON. */
export function documents(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
