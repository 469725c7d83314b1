import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { run, UsageError } from './cli-error.ts';
import { freePort } from './free-port.ts';
import { buildRelease, copyDatabase } from './release-fixture/artefacts.ts';
import { blockHosts, createAccounts, journey, type Outcome } from './release-fixture/journey.ts';
import { keepsWorker, removeFormerWorkers } from './release-fixture/kept.ts';
import { knownSchema, type Known } from './release-fixture/known.ts';
import { openProject } from './release-fixture/processes.ts';
import { withProgress } from './progress.ts';
import { parsePort } from './settings.ts';
import { exitOnSignals } from './signals.ts';

/**
 * `npm run release:fixture`: creates the fixture of a release, `test/releases/VERSION/` in the current folder, by the
 * code of that release. Tests upgrade its database, and run its Worker on newer ones. `npm run release` runs it for
 * each new version.
 */

const USAGE = `Usage: npm run release:fixture -- [--project DIR] [--port N]

Runs "npm start" of a project, creates users, links and clicks over HTTP, and stores the database in
test/releases/VERSION, VERSION being that of its package.json; for the newest release, and for those that
test/releases/kept-workers.json names, also its Worker.

  --project DIR   the project, whose packages must be installed; by default the current folder
  --port N        the port of the service; by default any free one`;

const RELEASES = 'test/releases';
const NOTE = 'All passwords, keys and tokens in this file were invented for tests and open nothing else.';

if (import.meta.main) {
  // The service is in a process group of its own, which these signals do not reach; it ends with this process.
  exitOnSignals();
  await run(() => releaseFixture(process.cwd(), process.argv.slice(2)));
}

/**
 * Runs the tool. Throws `UsageError`.
 *
 * @param root the folder in whose `test/releases/` the fixture is stored
 */
export async function releaseFixture(root: string, args: readonly string[]): Promise<void> {
  const { help, project, port: wanted } = readArguments(args);
  if (help) return console.log(USAGE);
  const port = wanted === undefined ? await freePort() : parsePort(wanted);
  const folder = resolve(root, project ?? '.');
  const version = readVersion(folder);
  const releases = join(root, RELEASES);
  const temporary = mkdtempSync(join(tmpdir(), 'terse-fixture-'));
  const remove = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.once('exit', remove);
  try {
    await withProgress(
      () => `Creating ${RELEASES}/${version}`,
      async () => {
        const built = await build(folder, version, temporary, port);
        if (keepsWorker(releases, version)) await buildRelease(folder, temporary, built);
        rmSync(join(releases, version), { recursive: true, force: true });
        cpSync(built, join(releases, version), { recursive: true });
      },
    );
    removeFormerWorkers(releases);
    console.log(`${RELEASES}/${version} is created.`);
  } finally {
    remove();
  }
}

/** Runs the service of a project on data of its own, and returns a folder with the database and `known.json`. */
async function build(folder: string, version: string, temporary: string, port: number): Promise<string> {
  const project = openProject(folder, temporary);
  const [persistTo, built] = [join(temporary, 'state'), join(temporary, 'fixture')];
  mkdirSync(built);
  const accounts = await createAccounts(project, persistTo);
  const settings = ['--var', `TOKEN_KEYS:${accounts.tokenKeys}`, 'ENCODE_CUTOFF:'];
  const service = await project.start(port, ['--persist-to', persistTo, ...settings]);
  let outcome: Outcome;
  try {
    outcome = await journey(service.origin, accounts);
  } finally {
    await service.end();
  }
  const blockedHosts = await blockHosts(project, persistTo);
  const known: Known = {
    note: NOTE,
    version,
    ...outcome,
    links: outcome.links.map((link) =>
      blockedHosts.includes(new URL(link.url).host) ? { ...link, state: 'blocked' } : link,
    ),
    blockedHosts,
    databasePath: copyDatabase(persistTo, join(built, 'database.sqlite')),
  };
  writeFileSync(join(built, 'known.json'), `${JSON.stringify(knownSchema.parse(known), null, 2)}\n`);
  return built;
}

function readArguments(args: readonly string[]) {
  const options = {
    project: { type: 'string' },
    port: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError('The tool takes --project DIR and --port N: "--help" explains them.', { cause });
  }
}

function readVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (!existsSync(file))
    throw new UsageError(`${folder} is not a project: --project takes a folder with a package.json.`);
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
