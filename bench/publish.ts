import { writeFileSync } from 'node:fs';
import { run } from '../scripts/cli-error.ts';
import { RpcChild } from './child-rpc.ts';
import { startService } from './contestant.ts';
import { findCores } from './cores.ts';
import { batchSecondsOf } from './legs.ts';
import { startIsolates } from './isolates.ts';
import { measureRevocations, SITUATIONS, type Situation } from './measure-revocations.ts';
import type { ArrivalTasks } from './published/arrivals.ts';
import { DRILLS } from './published/drills.ts';
import { machineOf } from './published/machine.ts';
import { readPageOptions } from './published/options.ts';
import { pageOf } from './published/page.ts';
import { measureRates } from './published/rates.ts';
import { runDrill, type DrillResult } from './published/run-drill.ts';
import { Sandbox } from './sandbox.ts';
import { STALENESS_SECONDS } from '../src/links/redirect/staleness.ts';

/**
 * `npm run bench:report`: measures Terse under visits that come at a constant rate, runs the outage drills, and writes
 * one page with all of it. `--page FILE`, `--rates N,N,N`, `--seconds N`, `--outage SECONDS`, `--outage-rate N`,
 * `--memory SECONDS`, `--beside NAME=URL[@PID]`.
 */
await run(async () => {
  const options = readPageOptions(process.argv.slice(2));
  const { memorySeconds, outageSeconds, outagePerSecond: perSecond } = options;
  const machine = machineOf();
  const cores = findCores();
  const sandbox = new Sandbox();
  try {
    // Longer than the queue waits after the third failure of a message.
    const patienceSeconds = 60 + 3 * outageSeconds;
    const rates = await measureRates(sandbox, { ...options, patienceSeconds, cores, say });
    await sandbox.endAll();

    say('changing links in one isolate, and asking another one');
    const vars = { MEMORY_SECONDS: String(memorySeconds) };
    const isolates = await startIsolates(sandbox, { ...vars, CREATE_LIMITING: 'off' });
    // Those that have just been compared with the database are seen to the end only in a full report.
    const situations = (Object.keys(SITUATIONS) as Situation[]).filter(
      (situation) => situation !== 'compared' || outageSeconds >= STALENESS_SECONDS.check,
    );
    const changes = await measureRevocations(
      isolates,
      situations,
      1000 * (memorySeconds + 2 * STALENESS_SECONDS.check),
    );
    await isolates.close();

    const entry = {
      name: 'Terse with failing stores',
      main: 'bench/published/failing-stores.ts',
      vars,
      batchSeconds: batchSecondsOf(outageSeconds),
      isSilent: true,
    };
    const service = await startService(sandbox, entry, cores?.server ?? []);
    const load = new RpcChild<ArrivalTasks>(sandbox, 'bench/published/arrivals.ts', cores?.load ?? []);
    const times = { perSecond, outageSeconds, aroundSeconds: Math.min(10, outageSeconds), patienceSeconds };
    const drills: DrillResult[] = [];
    for (const [turn, drill] of DRILLS.entries()) {
      say(`${outageSeconds} s in which ${drill.what}`);
      drills.push(await runDrill(service, load, { drill, turn }, times));
    }
    writeFileSync(options.page, pageOf({ machine, options, isPinned: cores !== null, rates, changes, drills }));
    say(`written: ${options.page}`);
  } finally {
    await sandbox.close();
  }
});

function say(progress: string): void {
  console.error(progress);
}
