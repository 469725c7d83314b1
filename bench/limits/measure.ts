import { RpcChild } from '../child-rpc.ts';
import { startContestant } from '../contestant.ts';
import type { Cores } from '../cores.ts';
import { CONNECTIONS } from '../streams.ts';
import type { LoadTasks } from '../load.ts';
import type { Sandbox } from '../sandbox.ts';
import { percentileOf } from '../statistics.ts';

/** The capacity of the object of one limited link. */
export interface LimitFigures {
  /** As fast as possible, over all connections. */
  readonly limited: { readonly perSecond: number; readonly p99Ms: number };
  /** At 100 visitors a second on one connection. */
  readonly unloadedP99Ms: number;
  /** Rows written a visitor, of those who come together and of those who come one after the other. */
  readonly rowsWritten: { readonly together: number; readonly alone: number };
}

interface LimitOptions {
  readonly seconds: number;
  readonly cores: Cores | null;
  readonly say: (progress: string) => void;
}

const WARM_UP_SECONDS = 1;
const PROBES = 500;

/** Takes places of one link by requests to a Worker that does nothing else. */
export async function measureLimits(sandbox: Sandbox, { seconds, cores, say }: LimitOptions): Promise<LimitFigures> {
  say('limits: visitors of one limited link');
  const entry = { name: 'limits', main: 'bench/limits/worker.ts' };
  const { origin } = await startContestant(sandbox, entry, cores?.server ?? []);
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  const paths = Array.from({ length: CONNECTIONS }, () => '/');
  const drive = (forSeconds: number) =>
    load.ask('drive', { origin, streams: [{ paths, connections: CONNECTIONS, status: 204 }], seconds: forSeconds });
  await drive(WARM_UP_SECONDS);
  const rows = async () => Number(await (await fetch(`${origin}/.bench/rows`)).text());
  await rows();
  const { answered: served, seconds: took, p99Ms } = await drive(seconds);
  const together = (await rows()) / served[0];
  const times = await load.ask('probe', { origin, path: '/', perSecond: 100, requests: PROBES });
  const alone = (await rows()) / PROBES;
  return {
    limited: { perSecond: served[0] / took, p99Ms },
    unloadedP99Ms: percentileOf(times, 99),
    rowsWritten: { together, alone },
  };
}
