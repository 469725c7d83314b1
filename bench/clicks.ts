import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addUser, createKey } from '../src/accounts/operator.ts';
import { migrateDatabase, withDatabase } from '../scripts/database.ts';
import { ensureDevVars } from '../scripts/dev-vars.ts';
import { run } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { startWrangler } from '../scripts/wrangler.ts';
import { OPERATIONS_PER_MESSAGE } from './counted.ts';
import { linkForm, PERSON } from './requests.ts';

/**
 * `npm run bench:clicks`: checks that the Worker on real local D1, KV and Queues counts exactly the clicks that a
 * driver sends it; then again with a consumer that fails on every third batch. `--clicks N` and `--links N` make it
 * shorter.
 */

const CONCURRENCY = 32;
const DRAIN_TIMEOUT_MS = 60_000;

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

interface Tally {
  humans: number;
  bots: number;
}

// Read before a state is opened, since that changes TMPDIR.
const TEMPORARY = tmpdir();

await run(async () => {
  const { values } = parseArgs({
    options: { clicks: { type: 'string', default: '20000' }, links: { type: 'string', default: '50' } },
  });
  const [clicks, links] = [Number(values.clicks), Number(values.links)];
  await ensureDevVars();
  let failed = 0;
  for (const [title, main] of [
    ['as built', 'src/index.ts'],
    ['with a consumer that fails on every third batch', 'bench/failing-consumer.ts'],
  ] as const) {
    const outcome = await withProgress(
      () => `Measuring ${clicks} redirects, ${title}`,
      () => measure(main, clicks, links),
    );
    console.log(`${clicks} redirects over ${links} links, ${title}: drained in ${outcome.drainSeconds.toFixed(1)} s`);
    const clicksPerMessage = outcome.clicks / outcome.messages;
    console.log(
      `  ${clicksPerMessage.toFixed(1)} clicks a message, ${(OPERATIONS_PER_MESSAGE / clicksPerMessage).toFixed(3)} queue operations a click`,
    );
    for (const line of outcome.differences) console.log(`  ${line}`);
    console.log(`${links - outcome.differences.length} passed, ${outcome.differences.length} failed`);
    failed += outcome.differences.length;
  }
  if (failed > 0) process.exitCode = 1;
});

async function measure(main: string, clicks: number, linkCount: number) {
  const persistTo = mkdtempSync(join(TEMPORARY, 'terse-clicks-'));
  const clientId = 'bench';
  const apiKey = await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    await addUser(db, { name: 'bench', password: 'bench', clientId });
    return (await createKey(db, clientId, 'bench'))?.text ?? '';
  });
  const port = await freePort();
  const stop = await startWorker(main, port, persistTo);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const call = caller(port, agent);
  try {
    const ids = [];
    for (let i = 0; i < linkCount; i++) ids.push(await createLink(call, apiKey, clientId, i));
    const marker = await createLink(call, apiKey, clientId, linkCount);
    const expected = await drive(call, ids, clicks);
    const drainBegan = Date.now();
    const counted = await drain(call, apiKey, ids, marker, expected);
    const differences = ids.flatMap((id) => difference(id, expected.get(id), counted.get(id)));
    const drainSeconds = (Date.now() - drainBegan) / 1000;
    await stop();
    return { differences, drainSeconds, messages: await countMessages(persistTo), clicks: total(expected) };
  } finally {
    agent.destroy();
    await stop();
    rmSync(persistTo, { recursive: true, force: true });
  }
}

type Call = (
  path: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function caller(port: number, agent: Agent): Call {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: 'localhost', port, path, method, headers, agent }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

async function createLink(call: Call, apiKey: string, clientId: string, index: number): Promise<string> {
  const form = linkForm({ url: `https://example.com/${index}`, client_id: clientId });
  const headers = { ...form.headers, 'X-API-Key': apiKey };
  const { status, text } = await call('/v1/links', { method: 'POST', headers, body: form.body });
  if (status !== 200) throw new Error(`a create returned ${status}: ${text}`);
  return JSON.parse(JSON.parse(text).result).id;
}

/** Follows links, with 5% bots, 5% HEAD and 5% prefetches, and returns the expected counts. */
async function drive(call: Call, ids: readonly string[], clicks: number): Promise<Map<string, Tally>> {
  const expected = new Map(ids.map((id) => [id, { humans: 0, bots: 0 }]));
  let next = 0;
  const worker = async () => {
    while (next < clicks) {
      const turn = next++;
      const id = ids[Math.floor(turn / 20) % ids.length] ?? '';
      const lot = turn % 20;
      const headers = {
        'User-Agent': lot === 0 ? BOT : PERSON,
        'CF-Connecting-IP': `198.51.100.${turn % 250}`,
        ...(lot === 2 && { 'Sec-Purpose': 'prefetch' }),
      };
      const { status } = await call(`/${id}`, { method: lot === 1 ? 'HEAD' : 'GET', headers });
      if (status !== 302) throw new Error(`a redirect returned ${status}`);
      const tally = expected.get(id);
      if (tally && lot === 0) tally.bots += 1;
      else if (tally && lot > 2) tally.humans += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return expected;
}

function countMessages(persistTo: string): Promise<number> {
  return withDatabase(persistTo, async (db) => {
    const row = await db.first<{ readonly n: number }>({ sql: 'SELECT count(*) AS n FROM seen_packs', params: [] });
    return row?.n ?? 0;
  });
}

/** Waits until the counts are the expected ones, or have not changed for a minute. */
async function drain(call: Call, apiKey: string, ids: readonly string[], marker: string, expected: Map<string, Tally>) {
  let counted = new Map<string, Tally>();
  let sum = -1;
  let movedAt = Date.now();
  const target = total(expected);
  while (sum !== target && Date.now() - movedAt < DRAIN_TIMEOUT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    counted = await countedOf(call, apiKey, ids);
    if (total(counted) !== sum) movedAt = Date.now();
    sum = total(counted);
  }
  // A broken batch, which may be counted by now, is delivered again. The first click of the marker is counted after such
  // a batch has broken, and the second one after it has come again.
  for (const clicks of [1, 2]) await followMarker(call, apiKey, marker, clicks);
  return countedOf(call, apiKey, ids);
}

async function followMarker(call: Call, apiKey: string, marker: string, clicks: number): Promise<void> {
  await call(`/${marker}`, { headers: { 'User-Agent': PERSON } });
  const deadline = Date.now() + DRAIN_TIMEOUT_MS;
  while (total(await countedOf(call, apiKey, [marker])) < clicks) {
    if (Date.now() > deadline) throw new Error('the queue does not deliver');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function countedOf(call: Call, apiKey: string, ids: readonly string[]): Promise<Map<string, Tally>> {
  const tallies = ids.map(async (id): Promise<[string, Tally]> => {
    const { text } = await call(`/v1/links/${id}/stats`, { headers: { 'X-API-Key': apiKey } });
    return [id, JSON.parse(text)];
  });
  return new Map(await Promise.all(tallies));
}

function total(tallies: ReadonlyMap<string, Tally>): number {
  return [...tallies.values()].reduce((sum, { humans, bots }) => sum + humans + bots, 0);
}

function difference(id: string, expected: Tally | undefined, counted: Tally | undefined): string[] {
  if (expected?.humans === counted?.humans && expected?.bots === counted?.bots) return [];
  return [
    `${id}: ${counted?.humans} humans and ${counted?.bots} bots instead of ${expected?.humans} and ${expected?.bots}`,
  ];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startWorker(main: string, port: number, persistTo: string): Promise<() => Promise<void>> {
  const options = ['--port', String(port), '--inspector-port', '0', '--persist-to', persistTo, '--log-level', 'error'];
  const server = startWrangler(['dev', main, ...options, '--var', 'CREATE_LIMITING:off'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const call = caller(port, new Agent());
  for (let tries = 0; tries < 240; tries++) {
    const answer = await call('/tokens/token_info').catch(() => null);
    if (answer?.status === 401) {
      return async () => {
        server.kill('SIGTERM');
        await ended;
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  server.kill('SIGTERM');
  throw new Error('the Worker did not start');
}
