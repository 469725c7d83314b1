import { run, UsageError } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { DEFAULT_MEMORY_SECONDS } from '../src/config/config.ts';
import { STALENESS_SECONDS } from '../src/links/redirect/staleness.ts';
import { startIsolates } from './isolates.ts';
import { measureRevocations, SITUATIONS, type Situation } from './measure-revocations.ts';
import { Sandbox } from './sandbox.ts';

/**
 * `npm run bench:revocation`: how long an isolate answers with a link that another isolate has disabled, deleted or
 * changed; takes a minute and a half.
 */

const BOUND_MS = (DEFAULT_MEMORY_SECONDS + STALENESS_SECONDS.check) * 1000;
// The extra time of a machine that also does other work.
const SLACK_MS = 5000;

await run(async () => {
  if (process.argv.length > 2) throw new UsageError('The revocation bench takes no options.');
  const sandbox = new Sandbox();
  try {
    const isolates = await startIsolates(sandbox, {
      MEMORY_SECONDS: String(DEFAULT_MEMORY_SECONDS),
      CREATE_LIMITING: 'off',
    });
    const situations = Object.keys(SITUATIONS) as Situation[];
    const measured = await withProgress(
      () => 'Asking until the new answers come',
      () => measureRevocations(isolates, situations, BOUND_MS + SLACK_MS),
    );
    for (const situation of situations) {
      console.log(`\n${SITUATIONS[situation]}:`);
      for (const { change, oldForMs } of measured.filter((each) => each.situation === situation))
        console.log(`  ${change.padEnd(10)} ${(oldForMs / 1000).toFixed(1).padStart(5)} s`);
    }
    const longest = Math.max(...measured.map(({ oldForMs }) => oldForMs)) / 1000;
    console.log(
      `\nthe longest: ${longest.toFixed(1)} s, of at most ${BOUND_MS / 1000} s with a KV that has no cache and no propagation`,
    );
    await isolates.close();
  } finally {
    await sandbox.close();
  }
});
