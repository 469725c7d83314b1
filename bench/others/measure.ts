import { migrateDatabase } from '../../scripts/database.ts';
import { addUser } from '../../src/accounts/operator.ts';
import { RpcChild } from '../child-rpc.ts';
import { signIn, startContestant, startService, type Contestant } from '../contestant.ts';
import { openFloorTable } from '../legs.ts';
import { CLIENT_ID, seedLinks } from '../links.ts';
import type { LoadTasks } from '../load.ts';
import { alternateFigures, driveStream } from '../pairs/alternate.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { RoundOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { measureFiles, type FileFigures } from './files.ts';
import {
  FLOORS,
  type Floor,
  REQUEST_NAMES,
  REQUESTS,
  type Request,
  type RequestName,
  type Visited,
} from './requests.ts';
import { measureYears, seedDays, type YearFigures } from './years.ts';

/** The costs of other requests than redirects, pair by pair. */
export interface OtherFigures {
  /** The ratio of each to its floor. */
  readonly requests: Readonly<Record<RequestName, Interval>>;
  readonly files: FileFigures;
  readonly years: YearFigures;
}

/** Five rounds, as by default, give the interval of 10 pairs. */
const PAIRS_PER_ROUND = 2;
/** A leg is no longer, so that all of them together take some minutes. */
const MAX_LEG_SECONDS = 2;
/** Enough for a page of links, and for the export. */
const LINKS = 2000;
/** The clicks of the overview. */
const OVERVIEW = { links: 50, days: 60, clicksPerDay: 100, facts: 2, clientFacts: 60 };

/**
 * Sends other requests than redirects to Terse and to their floors in turn, each first in every other pair; exports and
 * statistics, which have no floor, are measured by themselves. The queue drops the clicks.
 */
export async function measureOthers(
  sandbox: Sandbox,
  { rounds, seconds, cores, say }: RoundOptions,
): Promise<OtherFigures> {
  say('others: building and starting Terse and its floors');
  const prefix = cores?.server ?? [];
  const entry = { name: 'others', main: 'bench/others/worker.ts', isConsuming: false };
  const service = await startService(sandbox, entry, prefix);
  await seedLinks(service.db, 0, LINKS);
  await seedDays(service, CLIENT_ID, OVERVIEW);
  const visited: Visited = { ...service, cookie: await signIn(service) };
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  const starting = FLOORS.map((name) => [name, startFloor(sandbox, name, prefix)] as const);
  const floors = Object.fromEntries(starting) as Record<Floor, Promise<Contestant>>;
  const legSeconds = Math.min(seconds, MAX_LEG_SECONDS);

  const measureRequest = async (name: RequestName): Promise<Interval> => {
    const { floor: floorName, ratio, streams }: Request = REQUESTS[name];
    const floor = await floors[floorName];
    const measure = async (contestant: Contestant) => {
      const [own, floors] = await streams(visited, legSeconds);
      return driveStream(load, contestant, contestant === floor ? floors : own, legSeconds);
    };
    for (const contestant of [visited, floor]) await measure(contestant);
    const pairs = rounds * PAIRS_PER_ROUND;
    const figures = await alternateFigures(pairs, [visited, floor], measure, (progress) => say(`${name}, ${progress}`));
    return intervalOf(figures.map(([own, over]) => (ratio === 'cpu' ? own.cpu / over.cpu : over.cpu / own.cpu)));
  };
  const requests: [RequestName, Interval][] = [];
  for (const name of REQUEST_NAMES) requests.push([name, await measureRequest(name)]);
  const files = await measureFiles(visited, rounds * PAIRS_PER_ROUND, say);
  const years = await measureYears(visited, rounds * PAIRS_PER_ROUND, say);
  return { requests: Object.fromEntries(requests) as OtherFigures['requests'], files, years };
}

/** Starts a floor, with the tables of both inserts. */
async function startFloor(sandbox: Sandbox, name: string, prefix: readonly string[]): Promise<Contestant> {
  const floor = await startContestant(sandbox, { name, main: `bench/floors/${name}.ts` }, prefix);
  await migrateDatabase(floor.db);
  await openFloorTable(floor.db);
  await addUser(floor.db, { name: 'bench', password: 'bench', clientId: CLIENT_ID });
  return floor;
}
