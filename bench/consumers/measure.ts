import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { migrateDatabase } from '../../scripts/database.ts';
import { readMigrations } from '../../scripts/migrations/files.ts';
import { DROPS_FORMER_CLICKS } from '../../scripts/migrations/former-clicks.ts';
import { startContestant, type Contestant } from '../contestant.ts';
import type { Cores } from '../cores.ts';
import type { Sandbox } from '../sandbox.ts';
import { summarize, type Summary } from '../statistics.ts';
import { idle, workerdCpuSecondsOf } from '../usage.ts';
import { clientOf, randomPacks, type PackLoad } from './packs.ts';

/** Clicks that a consumer counts a second of CPU, with the stores that it writes to. */
export interface ConsumerFigures {
  /** The consumer of release 1.2.0, which counts in D1. */
  readonly former: Summary;
  /** The present one with the objects of the clients, and their folds. */
  readonly present: Summary;
  /** Of the present one over the former one, round by round. */
  readonly ratio: Summary;
}

const FORMER_WORKER = 'test/releases/1.2.0/worker.mjs.gz';
const FORMER_BATCH = 10;
const PRESENT_BATCH = 100;

// Five seconds of 20 isolates with 500 clicks a second each.
const LOAD: PackLoad = { clients: 1000, linksPerClient: 10, packs: 100, clicksPerPack: 500 };
// What the day has before: a minute of such clicks. The former consumer takes longer with each value that a day has.
const BEFORE: PackLoad = { ...LOAD, packs: 25, clicksPerPack: 2000 };
const BATCHES_BEFORE = 12;
// An object folds once an hour, or after 50,000 groups of clicks: so that a fold has more than the clicks of the rounds.
const BATCHES_AFTER = 12;

/** Gives both consumers the same packs, in turn, in batches as large as each is configured for. */
export async function measureConsumers(
  sandbox: Sandbox,
  {
    rounds,
    cores,
    say,
  }: { readonly rounds: number; readonly cores: Cores | null; readonly say: (text: string) => void },
): Promise<ConsumerFigures> {
  say('statistics: clicks of 1,000 clients, with the consumer of release 1.2.0 and with the present one');
  const prefix = cores?.server ?? [];
  const present = await startContestant(sandbox, { name: 'present', main: 'bench/consumers/present.ts' }, prefix);
  const floor = await startContestant(sandbox, { name: 'floor', main: 'bench/consumers/floor.ts' }, prefix);
  const main = join(sandbox.folder, 'former.mjs');
  writeFileSync(main, gunzipSync(readFileSync(FORMER_WORKER)));
  const former = await startContestant(sandbox, { name: 'former', main, isBuilt: true }, prefix);
  await migrateDatabase(present.db);
  const ofFormer = readMigrations().filter(({ name }) => name < DROPS_FORMER_CLICKS);
  await former.db.batch(ofFormer.flatMap(({ statements }) => statements.map((sql) => ({ sql, params: [] }))));
  for (let batch = 0; batch < BATCHES_BEFORE; batch++) {
    const packs = randomPacks(BEFORE);
    for (const contestant of [former, present]) await deliver(contestant, packs, packs.length);
  }
  await foldAll(present);
  const cpuSeconds: { former: number; present: number; floor: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`statistics: clicks of 1,000 clients, round ${round} of ${rounds}`);
    const packs = randomPacks(LOAD);
    cpuSeconds.push({
      floor: await cpuSecondsFor(floor, () => deliver(floor, packs, PRESENT_BATCH)),
      former: await cpuSecondsFor(former, () => deliver(former, packs, FORMER_BATCH)),
      present: await cpuSecondsFor(present, () => deliver(present, packs, PRESENT_BATCH)),
    });
  }
  for (let batch = 0; batch < BATCHES_AFTER; batch++) {
    const packs = randomPacks(BEFORE);
    await deliver(present, packs, packs.length);
  }
  const clicks = clicksOf(LOAD);
  const folded = rounds * clicks + BATCHES_AFTER * clicksOf(BEFORE);
  const fold = ((await cpuSecondsFor(present, () => foldAll(present))) * clicks) / folded;
  // Less what it takes to hand the packs over, which is the work of the local runtime.
  const seconds = cpuSeconds.map((round) => ({
    former: round.former - round.floor,
    present: round.present - round.floor + fold,
  }));
  return {
    former: summarize(seconds.map((round) => clicks / round.former)),
    present: summarize(seconds.map((round) => clicks / round.present)),
    ratio: summarize(seconds.map((round) => round.former / round.present)),
  };
}

function clicksOf({ packs, clicksPerPack }: PackLoad): number {
  return packs * clicksPerPack;
}

async function cpuSecondsFor({ pid }: Contestant, work: () => Promise<void>): Promise<number> {
  await idle(pid);
  const before = workerdCpuSecondsOf(pid);
  await work();
  await idle(pid);
  return workerdCpuSecondsOf(pid) - before;
}

async function deliver(contestant: Contestant, packs: readonly unknown[], batch: number): Promise<void> {
  for (let from = 0; from < packs.length; from += batch) await contestant.consume(packs.slice(from, from + batch));
}

async function foldAll({ origin }: Contestant): Promise<void> {
  const body = JSON.stringify(Array.from({ length: LOAD.clients }, (_, client) => clientOf(client)));
  const response = await fetch(`${origin}/.bench/fold`, { method: 'POST', body });
  if (!response.ok) throw new Error(`fold failed: ${await response.text()}`);
}
