import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateTokenKey } from '../src/tokens/keys.ts';
import { run } from './cli-error.ts';
import { freePort } from './free-port.ts';
import { buildRelease, copyStores } from './release-fixture/artefacts.ts';
import { followLinks, untilCounted } from './release-fixture/clicks.ts';
import { keepsWorker, removeFormerWorkers } from './release-fixture/kept.ts';
import type { Known } from './release-fixture/known.ts';
import { createLinks, editLinks, readLinks } from './release-fixture/links.ts';
import { BLOCKED, blockHost, createAccounts, managePeople, signIn, type Accounts } from './release-fixture/people.ts';
import { openSend } from './release-fixture/send.ts';
import { withProgress } from './progress.ts';
import { buildWorker, startServer } from './server.ts';
import { exitOnSignals } from './signals.ts';
import { createStateFolder } from './state.ts';
import { QUIET_WRANGLER } from './wrangler.ts';

/**
 * `npm run release:fixture`: creates the fixture of this release, `test/releases/VERSION/`. It starts the service on
 * data of its own, does over HTTP what users, programs and visitors do, and stores the data; for the newest release,
 * and for those that `kept-workers.json` names, also the Worker. Tests upgrade the data, and run the Worker on newer
 * data. `npm run release` runs it for each new version.
 */

const RELEASES = 'test/releases';
const NOTE = 'All passwords, keys and tokens in this file were invented for tests and open nothing else.';

exitOnSignals();
Object.assign(process.env, QUIET_WRANGLER, { WRANGLER_LOG: 'error' });
const temporary = mkdtempSync(join(tmpdir(), 'terse-fixture-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

await run(async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const folder = join(RELEASES, version);
  const built = join(temporary, 'fixture');
  mkdirSync(built);
  await withProgress(
    () => `Creating ${folder}`,
    async () => {
      await build(version, built);
      if (keepsWorker(RELEASES, version)) buildRelease(join(temporary, 'release'), built);
    },
  );
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true });
  removeFormerWorkers(RELEASES);
  console.log(`${folder} is created.`);
});

/** Runs the service on data of its own, and stores the data and `known.json` in a folder. */
async function build(version: string, folder: string): Promise<void> {
  const persistTo = join(temporary, 'state');
  const tokenKeys = JSON.stringify([await generateTokenKey()]);
  const accounts = await createAccounts(persistTo);
  const stopping = new AbortController();
  const port = await freePort();
  const server = await startServer({
    port,
    host: 'localhost',
    stateFolder: createStateFolder(persistTo),
    module: await buildWorker(join(temporary, 'worker')),
    // Every endpoint of the release, and clicks that are counted at once, as with `npm start`.
    vars: { TOKEN_KEYS: tokenKeys, ENCODE_CUTOFF: '', CLICKS_DIRECT: 'on' },
    stopping: stopping.signal,
  });
  const outcome = await journey(`http://localhost:${port}`, accounts);
  stopping.abort();
  await server.dispose();
  await blockHost(persistTo);
  const known: Known = { note: NOTE, version, tokenKeys, databasePath: copyStores(persistTo, folder), ...outcome };
  writeFileSync(join(folder, 'known.json'), `${JSON.stringify(known, null, 2)}\n`);
}

/** Does over HTTP all that users, programs and visitors do. Returns the facts for `known.json`. */
async function journey(origin: string, { keys, users: [ann, bob] }: Accounts) {
  const createdAt = new Date().toISOString();
  const send = openSend(origin);
  const [annsTokens, bobsTokens] = [await signIn(send, origin, ann), await signIn(send, origin, bob)];
  const created = await createLinks(send, keys, annsTokens);
  // That one may have expired by now.
  const followed = (await readLinks(send, keys, created)).filter(({ name }) => name !== 'expired');
  const sums = await followLinks(origin, followed);
  await untilCounted(send, keys, sums);
  await editLinks(send, keys, created, annsTokens);
  const links = (await readLinks(send, keys, created)).map((link) => ({
    ...link,
    ...(link.name === 'expired' && { state: 'expired' as const }),
    ...(new URL(link.url).host === BLOCKED && { state: 'blocked' as const }),
    clicks: sums.links[link.id] ?? link.clicks,
  }));
  const { users, ...rest } = await managePeople(send, annsTokens, keys);
  return {
    createdAt,
    users: [{ ...ann, ...annsTokens.known }, { ...bob, ...bobsTokens.known }, ...users],
    links,
    clients: sums.clients,
    ...rest,
  };
}
