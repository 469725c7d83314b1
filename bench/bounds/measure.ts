import { setTimeout } from 'node:timers/promises';
import { RpcChild } from '../child-rpc.ts';
import { startService } from '../contestant.ts';
import { pathsOf, range, slugOf } from '../links.ts';
import type { LoadTasks, Stream } from '../load.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { RoundOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { CONNECTIONS } from '../streams.ts';
import { cpuSecondsOf, idle, PACKED_MS } from '../usage.ts';
import { BOUND_NAMES, BOUNDS, firstLinkOf, seedBounds, type Bound, type BoundName } from './links.ts';

/** The CPU of a visit at each bound above that of a plain hot redirect beside it, in milliseconds, pair by pair. */
export type BoundFigures = Readonly<Record<BoundName, Interval>>;

const WARM_UP_SECONDS = 2;

/** Measures in alternating pairs. The queue drops the clicks, so that all CPU time is that of redirects. */
export async function measureBounds(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
): Promise<BoundFigures> {
  say('bounds: building and starting Terse');
  const contestant = { name: 'terse alone', main: 'src/index.ts', isConsuming: false } as const;
  const service = await startService(sandbox, contestant, cores?.server ?? []);
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  await seedBounds(service.db);
  const msOf = async (stream: Stream, forSeconds: number): Promise<number> => {
    const before = cpuSecondsOf(service.pid);
    const { answered: served } = await load.ask('drive', {
      origin: service.origin,
      streams: [stream],
      seconds: forSeconds,
    });
    await setTimeout(PACKED_MS);
    await idle(service.pid);
    return ((cpuSecondsOf(service.pid) - before) * 1000) / served[0];
  };
  const figures: [BoundName, Interval][] = [];
  for (const name of BOUND_NAMES) {
    const [bound, plain] = [streamOf(name), visits([`/${slugOf(0)}`])];
    for (const stream of [bound, plain]) await msOf(stream, Math.min(seconds, WARM_UP_SECONDS));
    const differences: number[] = [];
    for (let pair = 0; pair < rounds; pair++) {
      say(`bounds: ${name}, ${pair + 1} of ${rounds}`);
      const ms = new Map<Stream, number>();
      for (const stream of pair % 2 === 0 ? [bound, plain] : [plain, bound])
        ms.set(stream, await msOf(stream, seconds));
      differences.push(ms.get(bound)! - ms.get(plain)!);
    }
    figures.push([name, intervalOf(differences)]);
  }
  await sandbox.endAll();
  return Object.fromEntries(figures) as BoundFigures;
}

function streamOf(name: BoundName): Stream {
  const { links, search = '', headers = {}, status = 302 }: Bound = BOUNDS[name];
  const first = firstLinkOf(name);
  const paths = pathsOf(range(first, first + links)).map((path) => `${path}${search}`);
  return { ...visits(paths), headers, status };
}

/** Each connection visits all of the paths in turn. */
function visits(paths: readonly string[]): Stream {
  return {
    paths: paths.flatMap((path) => Array.from({ length: CONNECTIONS }, () => path)),
    connections: CONNECTIONS,
    status: 302,
  };
}
