import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DATABASE_NAME, STATISTICS_FOLDER } from '../../scripts/stored-database.ts';
import { buildWorker, startServer } from '../../scripts/server.ts';
import { createStateFolder } from '../../scripts/state.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { freePort, makeFolder } from '../scripts/support/processes.ts';

/** The Durable Objects of `npm start`. */

it('Durable Objects keep their data in the folder of --persist-to', async () => {
  const persistTo = makeFolder();
  const server = await startServer({
    port: await freePort(),
    host: 'localhost',
    stateFolder: createStateFolder(persistTo),
    module: await buildWorker(join(makeFolder(), 'worker')),
    vars: { TOKEN_KEYS: JSON.stringify([await generateTokenKey()]) },
    stopping: new AbortController().signal,
  });
  onTestFinished(() => server.dispose());
  const objects = await server.getDurableObjectNamespace('STATISTICS');
  // Even a request that it refuses wakes an object.
  await objects
    .getByName('acme')
    .fetch('http://object/')
    .catch(() => {});
  const files = readdirSync(join(persistTo, STATISTICS_FOLDER));
  expect(files).toContainEqual(expect.stringMatching(DATABASE_NAME));
});
