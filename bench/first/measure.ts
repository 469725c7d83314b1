import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { signIn, startContestant, startService, type Contestant } from '../contestant.ts';
import { seedLinks } from '../links.ts';
import { unpackRevision } from '../pairs/revision.ts';
import { visitorHeaders } from '../requests.ts';
import type { ComparisonOptions } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { summarize, type Summary } from '../statistics.ts';
import { mainThreadCpuMsOf, settled } from '../usage.ts';
import { SURFACE_NAMES, SURFACES, type Credentials, type Surface, type SurfaceName } from './surfaces.ts';

/** This version, and an earlier commit. */
const SIDES = ['present', 'former'] as const;
type Side = (typeof SIDES)[number];

/** The first requests of processes that have just started, each of one surface. */
export interface FirstFigures {
  /** The earlier commit. */
  readonly beside: string;
  /** The number of processes that each figure is of. */
  readonly starts: number;
  /** CPU of the first request of the floor, in milliseconds. */
  readonly floorMs: Summary;
  readonly surfaces: Readonly<Record<SurfaceName, Readonly<Record<Side, FirstRequests>>>>;
}

interface FirstRequests {
  /** CPU of the first request until its response, above the floor's, in milliseconds. */
  readonly cpuMs: Summary;
  /** Until the response of the first request, and of the second one, in milliseconds. */
  readonly firstMs: Summary;
  readonly secondMs: Summary;
}

/** A Worker whose stores are filled, ready to start any number of times. */
interface Filled {
  readonly start: () => Promise<Contestant>;
  readonly credentials: Credentials;
}

/** Five rounds, as by default, are 20 processes. */
const STARTS_PER_ROUND = 4;
const LINKS = 100;
const VISITED_LINKS = 10;
// What miniflare's stores do at their first use is not the Worker's.
const WARM_UP_QUERIES = 20;
const REST_MS = 300;

interface Measured {
  readonly cpuMs: number;
  readonly firstMs: number;
  readonly secondMs: number;
}

/**
 * Starts this version and an earlier commit in turn, a process for each first request, each first in every other pair.
 * Their stores are filled before and are at work when the request comes, so that what it costs is the isolate's.
 */
export async function measureFirst(
  sandbox: Sandbox,
  { rounds, cores, say, beside }: Omit<ComparisonOptions, 'seconds'>,
): Promise<FirstFigures> {
  const { folder, commit } = unpackRevision(sandbox, beside);
  say(`first: building and filling this version and ${commit}`);
  const prefix = cores?.server ?? [];
  const sides = {
    present: await fill(sandbox, 'present', '.', prefix),
    former: await fill(sandbox, 'former', folder, prefix),
  };
  const starts = rounds * STARTS_PER_ROUND;
  const floor: number[] = [];
  const measured = new Map<string, Measured[]>();
  const note = (key: string, each: Measured) => measured.set(key, [...(measured.get(key) ?? []), each]);
  for (let start = 0; start < starts; start++) {
    say(`first: ${start + 1} of ${starts}`);
    floor.push((await measureOne(() => startContestant(sandbox, FLOOR, prefix), ANY, NO_CREDENTIALS)).cpuMs);
    for (const surface of SURFACE_NAMES)
      for (const side of start % 2 === 0 ? SIDES : SIDES.toReversed())
        note(`${surface} ${side}`, await measureOne(sides[side].start, SURFACES[surface], sides[side].credentials));
  }
  const floorMs = summarize(floor);
  const figuresOf = (surface: SurfaceName, side: Side): FirstRequests => {
    const all = measured.get(`${surface} ${side}`) ?? [];
    return {
      cpuMs: summarize(all.map(({ cpuMs }) => cpuMs - floorMs.median)),
      firstMs: summarize(all.map(({ firstMs }) => firstMs)),
      secondMs: summarize(all.map(({ secondMs }) => secondMs)),
    };
  };
  const surfaces = SURFACE_NAMES.map((surface) => [
    surface,
    { present: figuresOf(surface, 'present'), former: figuresOf(surface, 'former') },
  ]);
  return { beside: commit, starts, floorMs, surfaces: Object.fromEntries(surfaces) };
}

const FLOOR = { name: 'floor', main: 'bench/floors/d1-ask.ts', isConsuming: false };
const ANY = { status: 200, ask: () => ({ path: '/' }) };
const NO_CREDENTIALS: Credentials = { apiKey: '', cookie: '' };

async function fill(sandbox: Sandbox, name: string, root: string, prefix: readonly string[]): Promise<Filled> {
  const vars = { TOKEN_KEYS: JSON.stringify([await generateTokenKey()]) };
  const stateFolder = join(sandbox.folder, `state-${name}`);
  const entry = { name, main: 'src/index.ts', root, vars, stateFolder, isConsuming: false };
  const service = await startService(sandbox, entry, prefix);
  await seedLinks(service.db, 0, LINKS);
  for (let visit = 0; visit < VISITED_LINKS; visit++)
    await fetch(`${service.origin}/L000001${visit}`, { redirect: 'manual', headers: visitorHeaders(visit) });
  const cookie = await signIn(service);
  await settled(service.pid, 0);
  await service.end();
  const { apiKey } = service;
  return { credentials: { apiKey, cookie }, start: () => startContestant(sandbox, entry, prefix) };
}

/** Starts a process, and sends its first and its second request. */
async function measureOne(
  start: () => Promise<Contestant>,
  { status, ask }: Pick<Surface, 'status' | 'ask'>,
  credentials: Credentials,
): Promise<Measured> {
  const contestant = await start();
  const request = async (turn: number): Promise<number> => {
    const { path, init } = ask(credentials, turn);
    const startedAt = performance.now();
    const response = await fetch(`${contestant.origin}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    if (response.status !== status) throw new Error(`${path} returned ${response.status}: ${text}`);
    return ms;
  };
  for (let query = 0; query < WARM_UP_QUERIES; query++) await contestant.db.first({ sql: 'SELECT 1', params: [] });
  await contestant.put('warm', 'warm');
  await setTimeout(REST_MS);
  const before = mainThreadCpuMsOf(contestant.pid);
  const firstMs = await request(0);
  const cpuMs = mainThreadCpuMsOf(contestant.pid) - before;
  await setTimeout(REST_MS);
  const secondMs = await request(1);
  await contestant.end();
  return { cpuMs, firstMs, secondMs };
}
