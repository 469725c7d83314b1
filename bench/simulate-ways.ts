import { run } from '../scripts/cli-error.ts';
import { SHIPPED } from './growth/shipped.ts';
import { table } from './table.ts';
import { openRandom, simulateWays, WAY_LOADS } from './ways.ts';

/**
 * `npm run simulate:ways`: what the ways of clicks cost, by how many isolates and clients have them. Each run prints the
 * same.
 */
await run(async () => {
  const { batchMessages, batchSeconds, consumersAtOnce } = SHIPPED;
  const consumers = { batchSize: batchMessages, batchSeconds, consumers: consumersAtOnce };
  const rows = [['clicks', 'both ways', 'queue alone', 'straight', 'seconds of wait']];
  for (const [name, load] of Object.entries(WAY_LOADS)) {
    const { cost, queueOnly, direct, delaySeconds } = await simulateWays(load, consumers, openRandom());
    rows.push([
      name,
      `$${cost.toFixed(3)}`,
      `$${queueOnly.toFixed(3)}`,
      `${Math.round(direct * 100)} %`,
      delaySeconds.toFixed(1),
    ]);
  }
  console.log(table(rows));
});
