import { expect, it } from 'vitest';
import { workerdBytesOf } from '../../bench/usage.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce } from '../scripts/support/project.ts';
import { ask, startServer, type Server } from '../scripts/support/server.ts';

const LINKS = 1000;
const ROUNDS = 4;
const AT_ONCE = 16;

/** A service that looks up each link in its stores, with an own link for each visit of a round. */
async function openService(): Promise<Server> {
  const server = await startServer({
    folder: copyProject(),
    persistTo: makeFolder(),
    command: [NODE, 'scripts/start.ts'],
    args: ['--var', 'MEMORY_SECONDS:0', '--var', 'ACCESS_LOG:off'],
  });
  const rows = Array.from({ length: LINKS }, (_, row) => `soak-${row},https://example.com/${row}\n`);
  const headers = { 'X-API-Key': printedOnce(server.output(), 'api_key'), 'Content-Type': 'text/csv' };
  const body = `slug,url\n${rows.join('')}`;
  expect((await ask(`${server.origin}/v1/links/import`, { method: 'POST', headers, body })).status).toBe(200);
  return server;
}

/** Follows each link once, and returns the memory of workerd afterwards, in MiB. */
async function followAll({ origin, living }: Pick<Server, 'origin' | 'living'>): Promise<number> {
  let next = 0;
  const follow = async () => {
    while (next < LINKS) expect((await ask(`${origin}/soak-${next++}`)).status).toBe(302);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, follow));
  const [process = 0] = living();
  return workerdBytesOf(process) / 1024 / 1024;
}

it('a server needs little more memory, however many links are followed', async () => {
  const server = await openService();
  const used: number[] = [];
  for (let round = 0; round < ROUNDS; round++) used.push(await followAll(server));
  await server.endAll('SIGKILL');
  // With V8's own settings each round takes some 60 MiB more.
  const most = Math.max(...used) / Math.min(...used);
  expect([used, most > 0 && most < 1.3]).toEqual([used, true]);
});
