import { batchSecondsOf, LEG_NAMES, openContest, type Contest, type LegName } from './legs.ts';
import { slugOf } from './links.ts';
import type { LoadResult, LoadTasks } from './load.ts';
import { RpcChild } from './child-rpc.ts';
import { median } from './statistics.ts';
import { Tally, type Counted } from './tally.ts';
import { cpuSecondsOf, settled } from './usage.ts';
import type { RoundOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';

export interface LegResult {
  /** Answered requests a second, of the leg's first stream. */
  readonly perSecond: number;
  /** Answered requests, by stream. */
  readonly answered: readonly [number, ...number[]];
  /** The CPU time of the contestant's processes for all of it, including deferred work, in seconds. */
  readonly cpuSeconds: number;
  /** The share of a core that the load took. */
  readonly busy: number;
}

export interface Round {
  readonly legs: Readonly<Record<LegName, LegResult>>;
  /** Medians of the answer times at 100 requests a second on one connection, in milliseconds. */
  readonly unloadedMs: { readonly empty: number; readonly hot: number };
}

const PROBES_PER_SECOND = 100;
const WARM_UP_SECONDS = 2;

/** Runs all legs in turn, round after round, after a short round that does not count. */
export async function runRounds(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
): Promise<{ readonly rounds: readonly Round[]; readonly clicks: Counted }> {
  say('building and starting the contestants');
  const contest = await openContest(sandbox, cores?.server ?? [], seconds);
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  const course = new Course(contest, load, batchSecondsOf(seconds));

  say('warming up');
  for (const name of LEG_NAMES) await course.drive(name, Math.min(seconds, WARM_UP_SECONDS));
  await Promise.all([contest.terse, contest.terseOnKv].map(({ pid }) => course.settled(pid)));

  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    const unloadedMs = { empty: await course.probe('empty', seconds), hot: await course.probe('hot', seconds) };
    await course.settled(contest.terse.pid);
    const legs: Partial<Record<LegName, LegResult>> = {};
    for (const name of LEG_NAMES) legs[name] = await course.measure(name, seconds);
    done.push({ legs: legs as Record<LegName, LegResult>, unloadedMs });
  }
  return { rounds: done, clicks: await course.tally.compare() };
}

class Course {
  readonly #contest: Contest;
  readonly #load: RpcChild<LoadTasks>;
  readonly #batchSeconds: number;
  readonly tally: Tally;

  constructor(contest: Contest, load: RpcChild<LoadTasks>, batchSeconds: number) {
    this.#contest = contest;
    this.#load = load;
    this.#batchSeconds = batchSeconds;
    this.tally = new Tally([contest.terse, contest.terseOnKv], batchSeconds);
  }

  /** Waits until a contestant has done its deferred work. */
  settled(pid: number): Promise<void> {
    return settled(pid, this.#batchSeconds);
  }

  async prime(name: LegName): Promise<void> {
    const { contestant, prime } = this.#contest.legs[name];
    if (prime === undefined) return;
    const { answered: served } = await this.#load.ask('drive', { origin: contestant.origin, streams: [prime] });
    this.tally.add(contestant.origin, { connections: 0, status: prime.status }, served[0]);
  }

  async drive(name: LegName, seconds: number): Promise<LoadResult> {
    const { contestant, streams: makeStreams } = this.#contest.legs[name];
    const { origin } = contestant;
    const streams = makeStreams();
    const result = await this.#load.ask('drive', { origin, streams, seconds });
    for (const [index, stream] of streams.entries()) this.tally.add(origin, stream, result.answered[index] ?? 0);
    return result;
  }

  async measure(name: LegName, seconds: number): Promise<LegResult> {
    const { terse, terseOnKv, legs } = this.#contest;
    const { contestant } = legs[name];
    const { pid } = contestant;
    await this.prime(name);
    const before = cpuSecondsOf(pid);
    const { answered: served, seconds: took, busy } = await this.drive(name, seconds);
    // The floors defer no work.
    if ([terse, terseOnKv].some((service) => service === contestant)) await this.settled(pid);
    return { perSecond: served[0] / took, answered: served, cpuSeconds: cpuSecondsOf(pid) - before, busy };
  }

  /** The median time of an answer on one connection that leaves the contestant idle, in milliseconds. */
  async probe(name: 'empty' | 'hot', seconds: number): Promise<number> {
    const { origin } = this.#contest.legs[name].contestant;
    const requests = PROBES_PER_SECOND * seconds;
    const path = `/${slugOf(0)}`;
    const times = await this.#load.ask('probe', { origin, path, perSecond: PROBES_PER_SECOND, requests });
    this.tally.add(origin, { connections: 0, status: 302 }, requests);
    return median(times);
  }
}
