import { parseArgs } from 'node:util';
import { ensureDevVars } from '../scripts/dev-vars.ts';
import { run } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { startClickService, type ClickService } from './click-service.ts';
import { OPERATIONS_PER_MESSAGE } from './click-counts.ts';
import type { Broken } from './failing-consumer.ts';
import { linkForm, PERSON } from './requests.ts';

/**
 * `npm run bench:clicks`: checks that the Worker on real local stores counts exactly the clicks that a driver sends it;
 * then again with a consumer that breaks every third batch, and with objects that are ended after an append and in the
 * middle of a fold. `--clicks N` and `--links N` make it shorter, and `--only built` or `--only broken` does one of both.
 */

const CONCURRENCY = 32;
const CLIENTS = ['bench-1', 'bench-2', 'bench-3', 'bench-4', 'bench-5'];
// Longer than a message that has failed waits before it is delivered again.
const DRAIN_TIMEOUT_MS = 300_000;

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const RUNS = [
  { name: 'built', title: 'as built', main: 'src/index.ts', vars: {}, isBroken: false },
  {
    name: 'broken',
    title: 'with a consumer that breaks every third batch, and objects that are ended',
    main: 'bench/failing-consumer.ts',
    // Each click is a message, so that there are many batches.
    vars: { CLICK_PACK_SECONDS: '0' },
    isBroken: true,
  },
] as const;

interface Tally {
  humans: number;
  bots: number;
}

interface Link {
  readonly id: string;
  readonly apiKey: string;
}

await run(async () => {
  const { values } = parseArgs({
    options: {
      clicks: { type: 'string', default: '20000' },
      links: { type: 'string', default: '50' },
      only: { type: 'string' },
    },
  });
  const [clicks, links] = [Number(values.clicks), Number(values.links)];
  await ensureDevVars();
  let failed = 0;
  for (const each of RUNS.filter(({ name }) => name === (values.only ?? name))) {
    const outcome = await withProgress(
      () => `Measuring ${clicks} redirects, ${each.title}`,
      () => measure(each, clicks, links),
    );
    console.log(`${clicks} redirects over ${links} links, ${each.title}: counted in ${outcome.seconds.toFixed(1)} s`);
    const clicksPerMessage = outcome.clicks / outcome.messages;
    console.log(
      `  ${clicksPerMessage.toFixed(1)} clicks a message, ${(OPERATIONS_PER_MESSAGE / clicksPerMessage).toFixed(3)} queue operations a click`,
    );
    if (outcome.broken !== null) {
      const { before, after, endedAfterAppends, endedInFolds, deadLetters } = outcome.broken;
      console.log(`  batches that broke before they were counted: ${before}, afterwards: ${after}`);
      console.log(`  objects that were ended after an append: ${endedAfterAppends}, in a fold: ${endedInFolds}`);
      if (deadLetters > 0) console.log(`  dead letters: ${deadLetters}`);
      if ([before, after, endedAfterAppends, endedInFolds].includes(0)) throw new Error('Not everything was broken.');
    }
    for (const line of outcome.differences) console.log(`  ${line}`);
    console.log(`${links - outcome.differences.length} passed, ${outcome.differences.length} failed`);
    failed += outcome.differences.length;
  }
  if (failed > 0) process.exitCode = 1;
});

async function measure({ main, vars, isBroken }: (typeof RUNS)[number], clicks: number, linkCount: number) {
  const service = await startClickService({
    main,
    vars: { CREATE_LIMITING: 'off', ...vars },
    clients: CLIENTS,
    connections: CONCURRENCY,
    showsLog: !isBroken,
  });
  try {
    const links: Link[] = [];
    for (let i = 0; i < linkCount; i++) links.push(await createLink(service, i));
    const marker = await createLink(service, linkCount);
    const expected = await drive(service, links, clicks);
    const from = Date.now();
    const counted = await drain(service, links, marker, { expected, isBroken });
    const seconds = (Date.now() - from) / 1000;
    const differences = links.flatMap(({ id }) => difference(id, expected.get(id), counted.get(id)));
    const broken = isBroken ? await brokenOf(service) : null;
    // The marker's click is a message too.
    const messages = (await service.end()) - 1;
    return { differences, seconds, broken, messages, clicks: total(expected) };
  } finally {
    await service.remove();
  }
}

async function createLink({ call, keys }: ClickService, index: number): Promise<Link> {
  const clientId = CLIENTS[index % CLIENTS.length] ?? '';
  const apiKey = keys.get(clientId) ?? '';
  const form = linkForm({ url: `https://example.com/${index}`, client_id: clientId });
  const headers = { ...form.headers, 'X-API-Key': apiKey };
  const { status, text } = await call('/v1/links', { method: 'POST', headers, body: form.body });
  if (status !== 200) throw new Error(`a create returned ${status}: ${text}`);
  return { id: JSON.parse(JSON.parse(text).result).id, apiKey };
}

/** Follows links, with 5% bots, 5% HEAD and 5% prefetches, and returns the expected counts by link. */
async function drive({ call }: ClickService, links: readonly Link[], clicks: number): Promise<Map<string, Tally>> {
  const expected = new Map(links.map(({ id }) => [id, { humans: 0, bots: 0 }]));
  let next = 0;
  const worker = async () => {
    while (next < clicks) {
      const turn = next++;
      const { id } = links.at(Math.floor(turn / 20) % links.length)!;
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

/** Waits until the counts are the expected ones and no message is delivered again, or nothing changes any longer. */
async function drain(
  service: ClickService,
  links: readonly Link[],
  marker: Link,
  { expected, isBroken }: { readonly expected: ReadonlyMap<string, Tally>; readonly isBroken: boolean },
): Promise<Map<string, Tally>> {
  const target = total(expected);
  const look = async () => {
    const counted = total(await countedOf(service, links));
    return { counted, open: isBroken ? (await brokenOf(service)).open : 0 };
  };
  await untilStill(look, ({ counted, open }) => counted === target && open === 0);
  // Its click is counted after all that is in the queue by now.
  await service.call(`/${marker.id}`, { headers: { 'User-Agent': PERSON } });
  await untilStill(
    async () => total(await countedOf(service, [marker])),
    (counted) => counted > 0,
  );
  return countedOf(service, links);
}

async function untilStill<T>(look: () => Promise<T>, isDone: (seen: T) => boolean): Promise<void> {
  let before = '';
  for (let movedAt = Date.now(); Date.now() - movedAt < DRAIN_TIMEOUT_MS;) {
    const seen = await look();
    if (isDone(seen)) return;
    const now = JSON.stringify(seen);
    if (now !== before) movedAt = Date.now();
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function brokenOf({ call }: ClickService): Promise<Broken> {
  return JSON.parse((await call('/.bench/broken')).text);
}

async function countedOf({ call }: ClickService, links: readonly Link[]): Promise<Map<string, Tally>> {
  const countOf = async ({ id, apiKey }: Link): Promise<[string, Tally]> => {
    for (let attempts = 0; attempts < 5; attempts++) {
      const { status, text } = await call(`/v1/links/${id}/stats`, { headers: { 'X-API-Key': apiKey } });
      if (status === 200) return [id, JSON.parse(text)];
      // An object that is ended meanwhile does not respond.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('the statistics do not respond');
  };
  return new Map(await Promise.all(links.map(countOf)));
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
