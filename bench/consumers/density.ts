import { migrateDatabase } from '../../scripts/database.ts';
import { startContestant } from '../contestant.ts';
import { NO_COUNTS, type Counts } from '../click-counts.ts';
import { costOfMillion } from '../prices.ts';
import type { Sandbox } from '../sandbox.ts';
import { clientOf, randomPacks, type PackLoad } from './packs.ts';

/** The cost of batches if so many consumers divide the messages of five seconds. */
export interface Density {
  readonly consumers: number;
  readonly messagesPerBatch: number;
  readonly clicksPerBatch: number;
  readonly clicksPerAppend: number;
  /** Of objects, to store deliveries and to remove them again; what folds write besides does not depend on batches. */
  readonly rowsPerClick: number;
  /** US dollars a million clicks: runs of the consumer, its query of D1, and requests and these rows of objects. */
  readonly cost: number;
}

const CONSUMERS = [1, 2, 5, 10, 20, 50] as const;
// Five seconds of 20 isolates with 500 clicks a second each.
const LOAD: PackLoad = { clients: 1000, linksPerClient: 10, packs: 100, clicksPerPack: 500 };

export async function measureDensity(sandbox: Sandbox, say: (text: string) => void): Promise<readonly Density[]> {
  say('statistics: batches of several consumers');
  const contestant = await startContestant(sandbox, { name: 'counting', main: 'bench/counting-stores.ts' }, []);
  const { origin } = contestant;
  await migrateDatabase(contestant.db);
  const ask = async (task: string, client = '') => {
    const response = await fetch(`${origin}/.bench/${task}?client=${client}`, { method: 'POST', body: '{}' });
    if (!response.ok) throw new Error(`${task} failed: ${await response.text()}`);
    return response.json();
  };
  const deliver = async (messagesPerBatch: number) => {
    const packs = randomPacks(LOAD);
    for (let from = 0; from < packs.length; from += messagesPerBatch) {
      await contestant.consume(packs.slice(from, from + messagesPerBatch));
    }
  };
  // So that the objects know their links and most of the words.
  for (let batch = 0; batch < 4; batch++) await deliver(LOAD.packs);
  for (let client = 0; client < LOAD.clients; client++) await ask('fold', clientOf(client));
  const clicks = LOAD.packs * LOAD.clicksPerPack;
  const densities: Density[] = [];
  for (const consumers of CONSUMERS) {
    const messagesPerBatch = LOAD.packs / consumers;
    await ask('take');
    await deliver(messagesPerBatch);
    const counts = (await ask('take')) as Counts;
    const each = (name: keyof Counts) => counts[name] / clicks;
    // A delivery is a row, which a fold deletes. Alarms and words are the same for all.
    const rowsPerClick = 2 * each('objectRequests');
    const use = {
      ...NO_COUNTS,
      consumerRuns: each('consumerRuns'),
      rowsRead: each('rowsRead'),
      objectRequests: each('objectRequests'),
      objectRowsWritten: rowsPerClick,
      objectMilliseconds: each('objectMilliseconds'),
    };
    const { requests, d1, objects } = costOfMillion({ ...use, cpuMs: 0 });
    densities.push({
      consumers,
      messagesPerBatch,
      clicksPerBatch: messagesPerBatch * LOAD.clicksPerPack,
      clicksPerAppend: 1 / each('objectRequests'),
      rowsPerClick,
      cost: requests - costOfMillion({ ...NO_COUNTS, cpuMs: 0 }).requests + d1 + objects,
    });
  }
  return densities;
}
