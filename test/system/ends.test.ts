import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readLock } from '../../scripts/lock.ts';
import { ended, freePort, listen, makeFolder, startProcess, until } from '../scripts/support/processes.ts';
import { copyProject } from '../scripts/support/project.ts';
import { ask, isListening, startServer } from '../scripts/support/server.ts';

const folder = copyProject();
const persistTo = makeFolder();

it.each(['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGKILL'] as const)(
  'a server ends with npm, if %s is sent to npm only',
  async (signal) => {
    const server = await startServer({ folder, persistTo });
    expect(await readLock(persistTo)).toMatchObject({ origin: server.origin });
    await server.end(signal);
    expect(server.living()).toEqual([]);
    expect(await isListening(server.port)).toBe(false);
    expect(await readLock(persistTo)).toBeNull();
  },
);

it('a server ends while it creates the first account, which its output has or the next start creates', async () => {
  const [port, data] = [await freePort(), makeFolder()];
  const server = startProcess('npm', ['start', '--', '--port', String(port), '--persist-to', data], { cwd: folder });
  const output = listen(server.stdout);
  const end = ended(server);
  await until('it listens', () => isListening(port));
  server.kill('SIGTERM');
  await end;
  const again = await startServer({ folder, persistTo: data });
  expect([output(), again.output()].filter((text) => text.includes('password:'))).toHaveLength(1);
  await again.end('SIGTERM');
});

it('a server ends completely if the process that holds the lock is killed', async () => {
  const server = await startServer({ folder, persistTo });
  process.kill((await readLock(persistTo))?.pid ?? 0, 'SIGKILL');
  await until('nobody listens', async () => !(await isListening(server.port)));
  await until('nothing is left running', () => server.living().length === 0);
  expect(await readLock(persistTo)).toBeNull();
});

it('a server continues in the background once the terminal that started it is closed', async () => {
  const [port, log] = [await freePort(), join(makeFolder(), 'log')];
  const command = `nohup npm start -- --port ${port} --persist-to ${persistTo} > ${log} 2>&1 < /dev/null &`;
  const shell = startProcess('sh', ['-c', command], { cwd: folder });
  expect(await ended(shell)).toBe(0);
  await until('it serves', () => existsSync(log) && readFileSync(log, 'utf8').includes('Serving on'));
  // Long enough for two checks of whether npm is still there.
  await setTimeout(2500);
  expect((await ask(`http://localhost:${port}/health`)).status).toBe(200);
  const holder = await readLock(persistTo);
  process.kill(holder?.pid ?? 0, 'SIGTERM');
  await until('it has ended', async () => !(await isListening(port)));
});
