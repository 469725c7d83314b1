import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSealingKey } from '../../src/secrets/sealing.ts';
import { RpcChild } from '../child-rpc.ts';
import { startService, type Service } from '../contestant.ts';
import { seedLinks } from '../links.ts';
import type { LoadTasks } from '../load.ts';
import { alternate, cpuOfHot } from '../pairs/alternate.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { RoundOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { idle, settled } from '../usage.ts';

/** The cost of a webhook on every link and of a live view for hot redirects: with them over without, pair by pair. */
export interface ConnectedFigures {
  /** CPU time of redirects alone: the queue drops the clicks. */
  readonly own: Interval;
  /** CPU time of all processes: redirects, consumers, objects, the database, deliveries and the stream. */
  readonly all: Interval;
  /** Deliveries that the receiver has taken, and bytes that the viewer has got, while `all` was measured. */
  readonly delivered: number;
  readonly streamedBytes: number;
}

/** Above it, redirects pay for who watches. */
export const CONNECTED_GOAL = { most: 1.05 };

/** Five rounds, as by default, give `all` the interval of 20 pairs. */
const CONNECTED_PAIRS_PER_ROUND = 4;
/** The goal is about `own`, so it gets 40: of 20 pairs, the interval was as wide as the goal. */
const OWN_ROUNDS = 2;
const WARM_UP_SECONDS = 2;
/** The time that the queues wait for a batch. */
const BATCH_SECONDS = 1;

/**
 * Redirects a hot link of two services in turn: in one of them, a webhook is sent all clicks of all links, and a viewer
 * watches them.
 */
export async function measureConnected(sandbox: Sandbox, options: RoundOptions): Promise<ConnectedFigures> {
  const own = await measureOnce(sandbox, { ...options, rounds: OWN_ROUNDS * options.rounds }, false);
  const all = await measureOnce(sandbox, options, true);
  return { own: own.cpu, all: all.cpu, delivered: all.delivered, streamedBytes: all.streamedBytes };
}

async function measureOnce(sandbox: Sandbox, options: RoundOptions, isConsuming: boolean) {
  const ratios: number[] = [];
  let [delivered, streamedBytes] = [0, 0];
  for (let round = 0; round < options.rounds; round++) {
    const measured = await measureRound(sandbox, options, isConsuming, round);
    ratios.push(...measured.ratios);
    delivered += measured.delivered;
    streamedBytes += measured.streamedBytes;
  }
  return { cpu: intervalOf(ratios), delivered, streamedBytes };
}

/** Starts two services for some pairs: two processes of the same program differ by a few percent for as long as they run. */
async function measureRound(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
  isConsuming: boolean,
  round: number,
) {
  say(
    `connected: starting two services, ${isConsuming ? 'with' : 'without'} consumers, round ${round + 1} of ${rounds}`,
  );
  const vars = { WEBHOOK_LOOPBACK: 'on', WEBHOOK_KEYS: JSON.stringify([generateSealingKey()]) };
  const start = async (name: string): Promise<Service> => {
    const entry = { name, main: 'src/index.ts', isConsuming, vars, batchSeconds: BATCH_SECONDS };
    const service = await startService(sandbox, entry, cores?.server ?? []);
    await seedLinks(service.db, 0, 1);
    return service;
  };
  const names = round % 2 === 0 ? ['watched', 'plain'] : ['plain', 'watched'];
  const services = new Map<string, Service>();
  for (const name of names) services.set(name, await start(name));
  const [watched, plain] = [services.get('watched')!, services.get('plain')!];
  const receiver = await openReceiver();
  await addWebhook(watched, receiver.url);
  const viewer = await openViewer(watched);
  try {
    const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
    // Clicks wait for one queue, and their deliveries for the other one.
    const rest = (pid: number) => (isConsuming ? settled(pid, 2 * BATCH_SECONDS) : idle(pid));
    const cpuOf = (each: Service, forSeconds: number) => cpuOfHot(load, each, forSeconds, rest);
    for (const service of [watched, plain, watched, plain]) await cpuOf(service, WARM_UP_SECONDS);
    const ratios = await alternate(CONNECTED_PAIRS_PER_ROUND, [watched, plain], (each) => cpuOf(each, seconds), say);
    return { ratios, delivered: receiver.count(), streamedBytes: viewer.bytes() };
  } finally {
    viewer.leave();
    receiver.server.close();
    await sandbox.endAll();
  }
}

async function openReceiver() {
  let count = 0;
  const server: Server = createServer((request, response) => {
    count++;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/`, count: () => count };
}

async function addWebhook({ name, origin, accessToken }: Service, url: string): Promise<void> {
  const response = await fetch(`${origin}/v1/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, events: ['link.clicked'] }),
  });
  if (response.status !== 201) throw new Error(`${name} created no webhook: ${await response.text()}`);
}

/** Watches all clicks until it leaves. A stream lasts 15 minutes, then the next one begins. */
async function openViewer({ name, origin, apiKey }: Service) {
  const leaving = new AbortController();
  let bytes = 0;
  const open = async () => {
    const response = await fetch(`${origin}/v1/clicks/stream`, {
      headers: { 'X-API-Key': apiKey },
      signal: leaving.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`${name} opened no stream: ${await response.text()}`);
    return response.body;
  };
  const first = await open();
  const watch = async () => {
    for (let stream = first; ; stream = await open()) for await (const chunk of stream) bytes += chunk.length;
  };
  // It ends with an error when it leaves; another one would show as no bytes.
  void watch().catch(() => {});
  return { bytes: () => bytes, leave: () => leaving.abort() };
}
