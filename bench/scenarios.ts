import { setTimeout } from 'node:timers/promises';
import { QUEUED_MS } from '../src/clicks/queued-clients.ts';
import { keyOf } from '../src/links/redirect/cache.ts';
import { countedClicks, startService, type Service } from './contestant.ts';
import type { Cores } from './cores.ts';
import { CONNECTIONS } from './streams.ts';
import { CLIENT_ID, pathsOf, range, seedLinks, slugOf, targetOf } from './links.ts';
import type { LoadTasks, Stream } from './load.ts';
import { costOfMillion, type Cost } from './prices.ts';
import type { Goal } from './goal.ts';
import { linkForm, shuffled, unknownSlug, VISITORS } from './requests.ts';
import { RpcChild } from './child-rpc.ts';
import { idleShareOf } from './usage.ts';
import { Meter, type Usage } from './meter.ts';
import type { Sandbox } from './sandbox.ts';

/** The use of the stores by each kind of request, and its cost as the number of links grows. */

const SIZES = [1_000, 100_000, 1_000_000] as const;

const SCENARIOS = {
  hot_packed: { what: 'hot link, at full speed', goal: { most: 0.45 } },
  hot_steady: { what: 'hot link, 1,000 a second over 50', goal: { most: 0.45 } },
  hot_quiet: { what: 'hot link, one click every 10 s over 100', goal: { most: 3.5 } },
  from_kv: { what: 'link from KV, compared with D1 afterwards' },
  cold: { what: 'link that was never followed before' },
  unknown: { what: 'unknown slug' },
  create: { what: 'create' },
} satisfies Readonly<Record<string, { readonly what: string; readonly goal?: Goal }>>;
type ScenarioName = keyof typeof SCENARIOS;

interface Scenario {
  readonly name: ScenarioName;
  readonly what: string;
  /** For the cost of a million, in US dollars. */
  readonly goal?: Goal;
  readonly each: Usage;
  readonly costOfMillion: Cost;
}

/** The scenarios with a certain number of links in the database. */
export interface Growth {
  readonly links: number;
  readonly scenarios: readonly Scenario[];
}

export interface GrowthResult {
  readonly growth: readonly Growth[];
  readonly clicks: { readonly answered: number; readonly counted: number };
}

// Links that only one scenario follows, by their index among those that were created last.
const HOT = [0, 50] as const;
const IN_KV = [100, 300] as const;
const COLD = [300, 800] as const;

const HOT_REDIRECTS = 20_000;
const STEADY_PER_SECOND = 1000;
const QUIET_CLICKS = 6;
const QUIET_LINKS = 100;
const QUIET_CLICKS_AN_HOUR = 360;
const HOURS_A_DAY = 24;
const UNKNOWN_SLUGS = 500;
const CREATES = 500;
const COLD_CONNECTIONS = 8;

export async function countScenarios(
  sandbox: Sandbox,
  cores: Cores | null,
  say: (progress: string) => void,
): Promise<GrowthResult> {
  say('counting the operations on the stores');
  const service = await startService(
    sandbox,
    { name: 'counting', main: 'bench/counting-stores.ts' },
    cores?.server ?? [],
  );
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  say('measuring the idle Worker');
  const meter = new Meter(service, load, await idleShareOf(service.pid));
  const growth: Growth[] = [];
  let made = 0;
  for (const links of SIZES) {
    say(`${links} links in the database`);
    await seedLinks(service.db, made, links);
    growth.push({ links, scenarios: await runScenarios(meter, service, made) });
    made = links;
  }
  const clicks = { answered: meter.redirects, counted: (await countedClicks(service)) - meter.filled };
  return { growth, clicks };
}

async function runScenarios(meter: Meter, service: Service, base: number): Promise<Scenario[]> {
  const links = ([first, end]: readonly [number, number]) => pathsOf(range(base + first, base + end));
  // Hot links are in KV. They are written there directly, since waiting until an isolate has written and forgotten them
  // would take a minute.
  const inKv = [HOT, IN_KV].flatMap(([first, end]) => range(base + first, base + end));
  await Promise.all(
    inKv.map((link) => service.put(keyOf({ host: '', slug: slugOf(link) }), JSON.stringify(targetOf(link)))),
  );
  await meter.send(follow(links(HOT)));
  // In random order, since otherwise each link would have only some of the visitors.
  const hotPaths = shuffled(Array.from({ length: HOT_REDIRECTS / (HOT[1] - HOT[0]) }, () => links(HOT)).flat());
  const hot = { ...follow(hotPaths), connections: CONNECTIONS };
  const hotQuiet = await quietScenario(meter, links(HOT)[0] ?? '', base);
  const hotPacked = scenarioOf('hot_packed', await meter.measureClicks(() => meter.send(hot)));
  const hotSteady = scenarioOf(
    'hot_steady',
    await meter.measureClicks(() => meter.send({ ...hot, perSecond: STEADY_PER_SECOND })),
  );
  const fromKv = scenarioOf('from_kv', await meter.measureClicks(() => meter.send(follow(links(IN_KV)))));
  const cold = scenarioOf('cold', await meter.measureClicks(() => meter.send(follow(links(COLD)))));
  const slugs = Array.from({ length: UNKNOWN_SLUGS }, () => `/${unknownSlug()}`);
  const unknown = scenarioOf('unknown', await meter.measure(() => meter.send({ ...follow(slugs), status: 404 })));
  const form = linkForm({ url: 'https://example.com/a/page', client_id: CLIENT_ID, campaign_name: 'spring' });
  const created = await meter.measure(() =>
    meter.send({
      ...form,
      method: 'POST',
      paths: Array.from({ length: CREATES }, () => '/v1/links'),
      headers: { ...form.headers, 'X-API-Key': service.apiKey },
      connections: COLD_CONNECTIONS,
      status: 200,
    }),
  );
  const create = scenarioOf('create', created);
  return [hotPacked, hotSteady, hotQuiet, fromKv, cold, unknown, create];
}

/** Clicks of a day, whose folds and retention count. All except a few are stored directly, without a wait of a day. */
async function quietScenario(meter: Meter, path: string, base: number): Promise<Scenario> {
  const others = Array.from({ length: HOURS_A_DAY * QUIET_CLICKS_AN_HOUR - QUIET_CLICKS }, (_, index) => ({
    link: base + (index % QUIET_LINKS),
    hour: Math.floor(index / QUIET_CLICKS_AN_HOUR),
  }));
  // What isolates and objects know of a busy client is forgotten after that.
  await setTimeout(QUEUED_MS);
  return scenarioOf('hot_quiet', await meter.measureQuiet(() => meter.sendQuietly(path, QUIET_CLICKS), others));
}

function follow(paths: readonly string[]): Stream {
  return { paths, visitors: VISITORS, connections: COLD_CONNECTIONS, status: 302 };
}

function scenarioOf(name: ScenarioName, each: Usage): Scenario {
  return { name, ...SCENARIOS[name], each, costOfMillion: costOfMillion(each) };
}
