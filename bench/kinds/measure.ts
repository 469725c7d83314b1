import { setTimeout } from 'node:timers/promises';
import { RpcChild } from '../child-rpc.ts';
import { startService, type Service } from '../contestant.ts';
import { seedDecidingLinks } from '../rule-links.ts';
import { seedLinks } from '../links.ts';
import type { LoadTasks, Stream } from '../load.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { RoundOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { cpuSecondsOf, idle, PACKED_MS } from '../usage.ts';
import { LINKS } from '../streams.ts';
import { KIND_NAMES, KINDS, type Kind, type KindName } from './streams.ts';

/** The redirects of a kind for the CPU of one plain hot link, pair by pair: redirects over redirects. */
export type KindFigures = Readonly<Record<KindName, Interval>>;

/** Two rounds are enough for an interval, and five give 15 pairs. */
const KIND_PAIRS_PER_ROUND = 3;
const WARM_UP_SECONDS = 2;

/**
 * Redirects of each kind and of one plain hot link in turn, each first in every other pair, so that what changes on the
 * machine meanwhile is the same for both. The queue drops the clicks, so that all CPU time is that of redirects.
 */
export async function measureKinds(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
): Promise<KindFigures> {
  const pairs = rounds * KIND_PAIRS_PER_ROUND;
  const measured: [KindName, Interval][] = [];
  for (const name of KIND_NAMES) {
    say(`kinds: ${name}, building and starting Terse`);
    const { vars = {}, streams }: Kind = KINDS[name];
    const service = await startService(
      sandbox,
      { name: 'terse alone', main: 'src/index.ts', isConsuming: false, vars },
      cores?.server ?? [],
    );
    const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
    await seedLinks(service.db, 0, LINKS);
    await seedDecidingLinks(service.db, LINKS);
    const { kind, plain, first, fresh } = streams(service, seconds);
    const cpuOf = async (stream: Stream, forSeconds: number): Promise<number> => {
      // Else the entries of memory that ended while other links were visited would be read again all at once.
      if (fresh && stream === kind) {
        await drive(load, service, fresh);
        await setTimeout(PACKED_MS);
      }
      const before = cpuSecondsOf(service.pid);
      const served = await drive(load, service, stream, forSeconds);
      // The clicks are packed by then, which counts for the redirects that caused it.
      await setTimeout(PACKED_MS);
      await idle(service.pid);
      return (cpuSecondsOf(service.pid) - before) / served;
    };
    if (first) await drive(load, service, first);
    for (const stream of [kind, plain, kind, plain]) await cpuOf(stream, Math.min(seconds, WARM_UP_SECONDS));
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      say(`kinds: ${name}, ${pair + 1} of ${pairs}`);
      const order = pair % 2 === 0 ? [kind, plain] : [plain, kind];
      const cpu = new Map<Stream, number>();
      for (const stream of order) cpu.set(stream, await cpuOf(stream, seconds));
      ratios.push((cpu.get(plain) ?? 0) / (cpu.get(kind) ?? 0));
    }
    measured.push([name, intervalOf(ratios)]);
    await sandbox.endAll();
  }
  return Object.fromEntries(measured) as KindFigures;
}

async function drive(
  load: RpcChild<LoadTasks>,
  { origin }: Service,
  stream: Stream,
  seconds?: number,
): Promise<number> {
  const { answered: served } = await load.ask('drive', { origin, streams: [stream], ...(seconds && { seconds }) });
  return served[0];
}
