import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { DATABASE_NAME, STATISTICS_FOLDER } from '../../scripts/stored-database.ts';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedAccount } from '../scripts/support/project.ts';
import {
  ask,
  askForToken,
  makeLink,
  startServer,
  type Answer,
  type LinkRecord,
  type Server,
  type Tokens,
} from '../scripts/support/server.ts';
import { startReceiver } from './support/webhook-receiver.ts';

const VISITS = 200;
const PERSON = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** A service, with a link and what can be asked of it. */
async function openService() {
  const [folder, persistTo] = [copyProject(), makeFolder()];
  const start = () => startServer({ folder, persistTo, command: [NODE, 'scripts/start.ts'] });
  const server = await start();
  const { apiKey, user, password } = printedAccount(server.output());
  const link = await makeLink(server.origin, apiKey, { url: 'https://example.com/', client_id: 'default' });
  const { access_token: token } = JSON.parse((await askForToken(server.origin, user, password)).body) as Tokens;
  return { server, start, persistTo, token, link };
}

/** Follows a link as often as wanted, twenty at a time. */
async function visit({ origin }: Server, { id }: LinkRecord, times = VISITS): Promise<void> {
  let begun = 0;
  const follow = async () => {
    while (begun++ < times) expect((await ask(`${origin}/${id}`, { headers: PERSON })).status).toBe(302);
  };
  await Promise.all(Array.from({ length: 20 }, follow));
}

async function api(server: Server, token: string, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await ask(`${server.origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.body}`);
  return answer;
}

async function countedOf(server: Server, token: string, { id }: LinkRecord): Promise<number> {
  return JSON.parse((await api(server, token, 'GET', `/v1/links/${id}/stats`)).body).total;
}

const problemsOf = (server: Server) =>
  server
    .errors()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly event: string; readonly clicks?: number });

it('a server counts every click that it has redirected, whatever signal stops all its processes', async () => {
  const { server, start, token, link } = await openService();
  let [running, expected] = [server, 0];
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    await visit(running, link);
    expected += VISITS;
    await running.endAll(signal);
    expect(problemsOf(running)).toEqual([]);
    running = await start();
    expect([signal, await countedOf(running, token, link)]).toEqual([signal, expected]);
  }
  await running.endAll('SIGKILL');
});

it('a server refuses visitors while it waits for a delivery, and ends once that is stored', async () => {
  const { server, start, token, link } = await openService();
  let accept = () => {};
  const receiver = await startReceiver((response) => {
    accept = () => response.end();
  });
  const fields = { url: receiver.url, events: ['link.created'] };
  const { id, secret } = JSON.parse((await api(server, token, 'POST', '/v1/webhooks', fields)).body);
  receiver.secret = secret;
  await api(server, token, 'POST', '/v1/links', { url: 'https://example.com/' });
  await until('the delivery is under way', () => receiver.delivered.length === 1);
  await visit(server, link);

  const end = server.end('SIGTERM');
  let [refused, followed]: [Answer | null, number] = [null, VISITS];
  await until('a visitor is refused', async () => {
    const answer = await ask(`${server.origin}/${link.id}`, { headers: PERSON }).catch(() => null);
    if (answer?.status === 302) followed += 1;
    if (answer?.status === 503 && answer.headers['connection'] === 'close') refused = answer;
    return refused !== null;
  });
  expect(refused).toMatchObject({
    headers: { 'retry-after': '5', 'content-type': 'application/json' },
    body: '{"result":"Failed","error":"store_unavailable: The service is stopping. Try again in a few seconds."}',
  });
  accept();
  await end;
  expect(problemsOf(server)).toEqual([]);

  const again = await start();
  expect(await countedOf(again, token, link)).toBe(followed);
  const { deliveries } = JSON.parse((await api(again, token, 'GET', `/v1/webhooks/${id}/deliveries`)).body);
  expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  await again.endAll('SIGKILL');
});

it('a server logs how many clicks it could not store, and ends', async () => {
  const { server, persistTo, token, link } = await openService();
  await visit(server, link, 1);
  await until('the first click is counted', async () => (await countedOf(server, token, link)) === 1);
  const release = lockStatistics(persistTo);
  try {
    await visit(server, link);
    await server.end('SIGTERM');
  } finally {
    release();
  }
  const lost = problemsOf(server).filter(({ event }) => event === 'clicks_lost');
  expect(lost.reduce((sum, { clicks = 0 }) => sum + clicks, 0)).toBe(VISITS);
});

/** Takes the write lock of every statistics object, as a full disk would refuse its writes. Returns what releases it. */
function lockStatistics(persistTo: string): () => void {
  const folder = join(persistTo, STATISTICS_FOLDER);
  const files = readdirSync(folder).filter((name) => DATABASE_NAME.test(name));
  const databases = files.map((name) => new DatabaseSync(join(folder, name), { timeout: 5000 }));
  for (const database of databases) database.exec('BEGIN IMMEDIATE');
  return () => databases.forEach((database) => database.close());
}
