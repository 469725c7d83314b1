import type { DeliveredLink } from '../src/statistics/append/delivery.ts';
import { keyOf } from '../src/links/redirect/cache.ts';
import { CLIENT_ID, countedClicks, startService, type Service } from './contestant.ts';
import type { Cores } from './cores.ts';
import type { Counts } from './click-counts.ts';
import { CONNECTIONS } from './streams.ts';
import { pathsOf, range, seedLinks, slugOf, targetOf } from './links.ts';
import type { LoadTasks, Stream } from './load.ts';
import { costOfMillion, type Cost } from './prices.ts';
import type { Goal } from './goal.ts';
import { linkForm, shuffled, unknownSlug, VISITORS } from './requests.ts';
import { RpcChild } from './child-rpc.ts';
import { cpuSecondsOf, idleShareOf, settled } from './usage.ts';
import type { Sandbox } from './sandbox.ts';

/** How much each kind of request uses the stores, and what that costs as the number of links grows. */

const SIZES = [1_000, 100_000, 1_000_000] as const;

// Longer than the consumer waits for a batch, so that each click is counted by itself.
const QUIET_SECONDS = 6.5;

const SCENARIOS = {
  hot_packed: { what: 'hot link, at full speed', goal: { most: 0.45 } },
  hot_steady: { what: 'hot link, 1,000 a second over 50', goal: { most: 0.45 } },
  hot_quiet: { what: 'hot link, one click every 10 s over 100', goal: { most: 6 } },
  from_kv: { what: 'link from KV, compared with D1 afterwards' },
  cold: { what: 'link that was never followed before' },
  unknown: { what: 'unknown slug' },
  create: { what: 'create' },
} satisfies Readonly<Record<string, { readonly what: string; readonly goal?: Goal }>>;
export type ScenarioName = keyof typeof SCENARIOS;

/** The use of one request of a kind, including the work after its answer, and its part of the fold that follows. */
export type Usage = Readonly<Counts> & { readonly cpuMs: number };

export interface Scenario {
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
const QUIET_CLICKS_A_FOLD = 360;
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
  const hotPacked = await meter.measureClicks('hot_packed', () => meter.send(hot));
  const hotSteady = await meter.measureClicks('hot_steady', () => meter.send({ ...hot, perSecond: STEADY_PER_SECOND }));
  // The other clicks of an hour are stored directly, since it would take an hour to send them.
  const others = Array.from({ length: QUIET_CLICKS_A_FOLD - QUIET_CLICKS }, (_, index) => base + (index % QUIET_LINKS));
  const hotQuiet = await meter.measureClicks(
    'hot_quiet',
    () => meter.sendQuietly(links(HOT)[0] ?? '', QUIET_CLICKS),
    others,
  );
  const fromKv = await meter.measureClicks('from_kv', () => meter.send(follow(links(IN_KV))));
  const cold = await meter.measureClicks('cold', () => meter.send(follow(links(COLD))));
  const slugs = Array.from({ length: UNKNOWN_SLUGS }, () => `/${unknownSlug()}`);
  const unknown = await meter.measure('unknown', () => meter.send({ ...follow(slugs), status: 404 }));
  const form = linkForm({ url: 'https://example.com/a/page', client_id: CLIENT_ID, campaign_name: 'spring' });
  const create = await meter.measure('create', () =>
    meter.send({
      ...form,
      method: 'POST',
      paths: Array.from({ length: CREATES }, () => '/v1/links'),
      headers: { ...form.headers, 'X-API-Key': service.apiKey },
      connections: COLD_CONNECTIONS,
      status: 200,
    }),
  );
  return [hotPacked, hotSteady, hotQuiet, fromKv, cold, unknown, create];
}

function follow(paths: readonly string[]): Stream {
  return { paths, visitors: VISITORS, connections: COLD_CONNECTIONS, status: 302 };
}

class Meter {
  readonly #service: Service;
  readonly #load: RpcChild<LoadTasks>;
  readonly #idleShare: number;
  /** Answered redirects so far. */
  redirects = 0;
  /** Clicks that were stored without a redirect. */
  filled = 0;

  /** @param idleShare the share of a core that the service takes without requests */
  constructor(service: Service, load: RpcChild<LoadTasks>, idleShare: number) {
    this.#service = service;
    this.#load = load;
    this.#idleShare = idleShare;
  }

  /** Sends each path of a stream once, and returns how many were answered. */
  async send(stream: Stream): Promise<number> {
    const { answered } = await this.#load.ask('drive', { origin: this.#service.origin, streams: [stream] });
    if (stream.status === 302) this.redirects += answered[0];
    return answered[0];
  }

  /** Follows a link at long intervals, each time as another visitor. */
  async sendQuietly(path: string, requests: number): Promise<number> {
    await this.#load.ask('probe', { origin: this.#service.origin, path, perSecond: 1 / QUIET_SECONDS, requests });
    this.redirects += requests;
    return requests;
  }

  /** Measures what is sent, once all earlier work is done. */
  async measure(name: ScenarioName, send: () => Promise<number>): Promise<Scenario> {
    await this.#settled();
    const [requests, usage] = await this.#use(() => this.#sent(send));
    return scenarioOf(name, divided(usage, requests));
  }

  /**
   * Measures clicks, with their part of the fold of the object.
   *
   * @param others the links, by index, of the other clicks that the same fold has
   */
  async measureClicks(
    name: ScenarioName,
    send: () => Promise<number>,
    others: readonly number[] = [],
  ): Promise<Scenario> {
    await this.#settled();
    await this.#ask('fold');
    const [requests, sent] = await this.#use(() => this.#sent(send));
    const links = others.map(targetOf).map(({ linkId, campaignName }): DeliveredLink => [linkId, campaignName]);
    await this.#ask('fill', links);
    this.filled += others.length;
    const [, fold] = await this.#use(() => this.#ask('fold'));
    return scenarioOf(name, sum(divided(sent, requests), divided(fold, requests + others.length)));
  }

  #settled(): Promise<void> {
    return settled(this.#service.pid);
  }

  async #sent(send: () => Promise<number>): Promise<number> {
    const requests = await send();
    await this.#settled();
    return requests;
  }

  /** Returns also what the work returns. */
  async #use<T>(work: () => Promise<T>): Promise<[result: T, usage: Usage]> {
    const { pid } = this.#service;
    await this.#ask<Counts>('take');
    const [before, from] = [cpuSecondsOf(pid), performance.now()];
    const result = await work();
    const idleMs = this.#idleShare * (performance.now() - from);
    const cpuMs = Math.max(0, (cpuSecondsOf(pid) - before) * 1000 - idleMs);
    return [result, { ...(await this.#ask<Counts>('take')), cpuMs }];
  }

  async #ask<T>(task: string, body: unknown = {}): Promise<T> {
    const url = `${this.#service.origin}/.bench/${task}?client=${CLIENT_ID}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${task} failed: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

function scenarioOf(name: ScenarioName, each: Usage): Scenario {
  return { name, ...SCENARIOS[name], each, costOfMillion: costOfMillion(each) };
}

function divided(usage: Usage, by: number): Usage {
  return mapped(usage, (value) => value / by);
}

function sum(one: Usage, other: Usage): Usage {
  return mapped(one, (value, name) => value + other[name]);
}

function mapped(usage: Usage, of: (value: number, name: keyof Usage) => number): Usage {
  const entries = Object.entries(usage) as [keyof Usage, number][];
  return Object.fromEntries(entries.map(([name, value]) => [name, of(value, name)])) as unknown as Usage;
}
