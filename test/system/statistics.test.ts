import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { DATABASE_NAME, STATISTICS_FOLDER } from '../../scripts/stored-database.ts';
import { cpuSecondsOf } from '../../bench/usage.ts';
import { DAY_IDS } from '../../src/statistics/row-ids.ts';
import { packDay } from '../../src/statistics/days/stored-day.ts';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject } from '../scripts/support/project.ts';
import { ask, makeLink, startServer } from '../scripts/support/server.ts';

/** Costly questions about click statistics whose callers leave, over HTTP and in the processes of `npm start`. */

const folder = copyProject();
/** The number of links whose question takes so long that most callers leave before their turn. */
const MANY_LINKS = 200;
/** The number of links whose question is costly too, and is answered within a fraction of the time that callers wait. */
const SOME_LINKS = 25;
const DAYS = 120;
/** The number of callers who leave. */
const CALLERS = 30;
const DAY_MS = 86_400_000;
const ID_LENGTH = 8;

const printed = (output: string, name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(output)?.[1] ?? '';

/** Gives many links clicks on many days, in the one object that is stored in a folder. */
function seedDays(persistTo: string, links: number): void {
  const objects = join(persistTo, STATISTICS_FOLDER);
  const file = readdirSync(objects).find((name) => DATABASE_NAME.test(name)) ?? '';
  const database = new DatabaseSync(join(objects, file), { timeout: 5000 });
  const facts = Array.from({ length: 20 }, (_, i) => [0, 0, 2 + i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  const day = packDay({ facts, hasHours: false, sums: new Map() });
  const today = Math.floor(Date.now() / DAY_MS);
  database.exec('BEGIN');
  const subject = database.prepare('INSERT INTO subjects (id, kind, name) VALUES (?, 1, ?)');
  const row = database.prepare('INSERT INTO days (id, clicks) VALUES (?, ?)');
  for (let number = 100; number < 100 + links; number++) {
    subject.run(number, `many${number}`.padEnd(ID_LENGTH, 'x'));
    for (let back = 1; back <= DAYS; back++) row.run(DAY_IDS.of(number, today - back), day);
  }
  database.exec('COMMIT');
  database.close();
}

/** A service with costly statistics, and its questions. */
async function startCostly(links: number) {
  const persistTo = makeFolder();
  const first = await startServer({ folder, persistTo });
  const headers = { 'X-API-Key': printed(first.output(), 'api_key') };
  const client = printed(first.output(), 'client_id');
  const link = await makeLink(first.origin, headers['X-API-Key'], { client_id: client, url: 'https://example.com/' });
  expect((await ask(`${first.origin}/v1/stats`, { headers })).status).toBe(200);
  await first.end('SIGTERM');
  seedDays(persistTo, links);
  const server = await startServer({ folder, persistTo });
  const from = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
  // Filtered clicks by link are read from the days of each link.
  const costly = `/v1/stats?by=link&browser=null&from=${from}`;
  const cheap = `/v1/links/${link.id}/stats`;
  return { server, headers, costly, cheap, get: (path: string) => ask(`${server.origin}${path}`, { headers }) };
}

/** Sends a question, and can end its connection, with a reset or as programs do. */
function openCaller({ port }: { readonly port: number }, path: string, headers: Readonly<Record<string, string>>) {
  const socket = connect({ port, host: 'localhost' });
  socket.on('error', () => undefined);
  const lines = Object.entries({ Host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return { reset: () => socket.resetAndDestroy(), close: () => socket.destroy() };
}

it.each([
  // The reset ends the request at once. One question is computed, the others have had their first slices.
  { how: 'reset', most: 10 },
  // An ordinary end is noticed by nothing, so that the places of costly questions are the limit.
  { how: 'close', most: 24 },
] as const)('questions whose callers $how their connections are not all computed', async ({ how, most }) => {
  const { server, headers, costly, cheap, get } = await startCostly(MANY_LINKS);
  const use = () => Math.max(...server.living().map(cpuSecondsOf));
  /** The CPU of work and of what it has begun, in seconds: the service is idle once a costly question is answered. */
  const measure = async (work: () => Promise<void>) => {
    const before = use();
    await work();
    await until('a costly question is answered', async () => (await get(costly)).status === 200);
    return use() - before;
  };
  await measure(async () => undefined);
  const one = await measure(async () => undefined);
  const all = await measure(async () => {
    const callers = Array.from({ length: CALLERS }, () => openCaller(server, costly, headers));
    // Cheap questions are answered meanwhile.
    for (let index = 0; index < 3; index++) expect((await get(cheap)).status).toBe(200);
    for (const caller of callers) caller[how]();
  });
  expect(all / one).toBeLessThan(most);
  // Questions that ended are no faults of the service.
  expect(server.errors()).not.toMatch(/uncaught|exception/i);
});

it('four costly questions at once get a response, each the same', async () => {
  const { costly, get } = await startCostly(SOME_LINKS);
  // However slow the machine is, one at least is answered at once, and the others later.
  const atOnce = await Promise.all([1, 2, 3, 4].map(() => get(costly)));
  const late = atOnce.filter(({ status }) => status !== 200);
  expect(late.length).toBeLessThan(4);
  for (const { status, body } of late) {
    expect({ status, body }).toEqual({ status: 503, body: expect.stringContaining('unavailable') as string });
    await until('a question that came late is answered', async () => (await get(costly)).status === 200);
  }
  const { body } = await get(costly);
  for (const answer of atOnce) if (!late.includes(answer)) expect(answer.body).toBe(body);
});
