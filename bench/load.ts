import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { visitorHeaders, type Headers } from './requests.ts';
import { serve } from './child-rpc.ts';

/**
 * The program that sends the load. It is a process of its own, so that its CPU time does not count for a contestant.
 */

/** Requests of one kind. */
export interface Stream {
  readonly method?: 'GET' | 'POST';
  /** Divided among the connections in turn; each connection repeats its own share. */
  readonly paths: readonly string[];
  readonly headers?: Headers;
  readonly body?: string;
  /** The number of visitors who send them, in turn; one by default, like in most load generators. */
  readonly visitors?: number;
  /** Further headers of each visitor. */
  readonly visitorHeaders?: readonly Headers[];
  readonly connections: number;
  /** Over all connections; by default each connection sends the next request as soon as it has an answer. */
  readonly perSecond?: number | undefined;
  /** The status that every answer must have. */
  readonly status: number;
}

interface Job {
  readonly origin: string;
  /** Sent at the same time. */
  readonly streams: readonly [Stream, ...Stream[]];
  /** By default until every path was requested once. */
  readonly seconds?: number;
}

export interface LoadResult {
  /** Requests that were answered, by stream. */
  readonly answered: readonly [number, ...number[]];
  readonly seconds: number;
  /** The time within which 99 of 100 requests of the first stream were answered, in milliseconds. */
  readonly p99Ms: number;
  /** The share of a core that the load itself took: near 1 the load was the limit, not the server. */
  readonly busy: number;
}

interface Probe {
  readonly origin: string;
  readonly path: string;
  readonly perSecond: number;
  readonly requests: number;
}

// A run ends with the next sample after its time.
const SAMPLE_MS = 50;

const tasks = {
  async drive({ origin, streams, seconds }: Job): Promise<LoadResult> {
    const { user, system } = process.cpuUsage();
    const runs = await Promise.all(streams.map((stream) => send(origin, stream, seconds)));
    const used = process.cpuUsage();
    const [first = { answered: 0, seconds: 0, p99Ms: Number.NaN }, ...others] = runs;
    return {
      answered: [first.answered, ...others.map(({ answered: served }) => served)],
      seconds: first.seconds,
      p99Ms: first.p99Ms,
      busy: (used.user - user + used.system - system) / 1e6 / first.seconds,
    };
  },

  /** The time of each answer on one connection, in milliseconds, at a rate that leaves the server idle. */
  async probe({ origin, path, perSecond, requests }: Probe): Promise<number[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const began = performance.now();
    const times: number[] = [];
    for (let sent = 0; sent < requests; sent++) {
      await setTimeout(Math.max(0, began + (sent * 1000) / perSecond - performance.now()));
      times.push(await timeResponse(`${origin}${path}`, agent, visitorHeaders(0)));
    }
    agent.destroy();
    return times;
  },
};

export type LoadTasks = typeof tasks;
serve(tasks);

function send(origin: string, stream: Stream, seconds: number | undefined) {
  const {
    method = 'GET',
    paths,
    headers,
    body,
    visitors = 1,
    visitorHeaders: own = [],
    connections,
    perSecond,
  } = stream;
  let clients = 0;
  return new Promise<Pick<LoadResult, 'seconds' | 'p99Ms'> & { answered: number }>((resolve, reject) => {
    let began = performance.now();
    const run = autocannon(
      {
        url: origin,
        connections,
        sampleInt: SAMPLE_MS,
        ...(seconds === undefined ? { amount: paths.length } : { duration: seconds }),
        ...(perSecond !== undefined && { overallRate: perSecond, ignoreCoordinatedOmission: true }),
        // Every request is built before the first is sent.
        setupClient: (client) => {
          const number = clients++;
          const share = paths
            .map((path, index) => ({ path, index }))
            .filter(({ index }) => index % connections === number);
          client.setRequests(
            share.map(({ path, index }) => ({
              method,
              path,
              headers: { ...visitorHeaders(index % visitors), ...own[index % visitors], ...headers },
              ...(body !== undefined && { body }),
            })),
          );
        },
      },
      (error: unknown, result) => {
        const took = (performance.now() - began) / 1000;
        if (error instanceof Error) reject(error);
        else resolve({ answered: countResponses(result, stream.status), seconds: took, p99Ms: result.latency.p99 });
      },
    );
    run.on('start', () => (began = performance.now()));
  });
}

function countResponses({ statusCodeStats = {}, errors }: autocannon.Result, status: number): number {
  const { [`${status}` as const]: wanted, ...others } = statusCodeStats;
  const failures = Object.entries(others).map(([code, { count = 0 }]) => `${count} returned ${code}`);
  if (errors > 0) failures.push(`${errors} failed`);
  if (failures.length > 0) throw new Error(`Of the requests that should return ${status}, ${failures.join(', ')}`);
  return wanted?.count ?? 0;
}

function timeResponse(url: string, agent: Agent, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const outgoing = request(url, { agent, headers }, (incoming) => {
      incoming.resume();
      incoming.once('end', () => resolve(performance.now() - began));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
