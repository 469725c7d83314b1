import { run } from '../scripts/cli-error.ts';
import { PRESETS } from './growth/assumptions.ts';
import { measureBytes } from './growth/bytes.ts';
import { figuresOf } from './growth/model.ts';
import { describeAssumptions, readGrowthOptions } from './growth/options.ts';
import { describeGrowth } from './growth/report.ts';

/**
 * `npm run simulate:growth`: what a thousand to ten million clients need of each part of the service, and which part is
 * saturated first. It measures what a link takes in a local SQLite, and calculates all else from the assumptions, which
 * flags change. Each run prints the same.
 */
const MEASURED_LINKS = 100_000;

await run(async () => {
  const { assumptions, isHelp } = readGrowthOptions(process.argv.slice(2));
  if (isHelp) return console.log(`npm run simulate:growth -- [--FLAG NUMBER] …\n\n${describeAssumptions(PRESETS)}`);
  console.error(`measuring ${MEASURED_LINKS} links`);
  const bytes = measureBytes(MEASURED_LINKS);
  console.log(describeGrowth(bytes, assumptions, (clients) => figuresOf(clients, bytes, assumptions)));
});
