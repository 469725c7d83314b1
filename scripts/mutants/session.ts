import { join } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { PROJECTS } from './projects.ts';

/**
 * A process that runs test files whenever its parent asks for some, with one Vitest: it starts once, and reads a source
 * once. Each run has a workerd, or a process, of its own, and evaluates all modules anew.
 */

/** A run that the parent asks for. */
export interface Order {
  /** The source file that may have changed since the last run, as a path in the project. */
  readonly changed: string;
  /** The paths of test files, in the order in which they run. */
  readonly files: readonly string[];
}

/** A message to the parent: `file` after each file, and the outcome after the last one, or after one that failed. */
export type Message = 'ready' | 'file' | 'passed' | 'failed';

class AsOrdered extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

const POLL_MS = 30_000;

const root = process.cwd();
let before = '';
let hasFailed = false;
const send = (message: Message) => process.send?.(message);

const vitest = await createVitest({
  watch: false,
  project: [...PROJECTS],
  // One file after the other, those first that fail most likely.
  maxWorkers: 1,
  sequence: { sequencer: AsOrdered },
  reporters: [
    {
      onTestCaseResult: (test) => stopIf(test.result().state === 'failed'),
      onTestModuleEnd: (module) => {
        stopIf(!module.ok());
        send('file');
      },
    },
  ],
});
// What a change keeps from ever coming is waited for, for as long as a slow machine may need: less is enough here.
for (const { config } of vitest.projects) config.expect.poll = { ...config.expect.poll, timeout: POLL_MS };
const specifications = Map.groupBy(await vitest.globTestSpecifications(), ({ moduleId }) => moduleId);

process.on('message', (order: Order) => void run(order).then(send, () => process.exit(1)));
process.once('disconnect', () => process.exit());
send('ready');

async function run({ changed, files }: Order): Promise<Message> {
  // What the run before has changed is original again.
  for (const file of [before, changed]) vitest.invalidateFile(join(root, file));
  before = changed;
  hasFailed = false;
  const wanted = files.flatMap((file) => specifications.get(join(root, file)) ?? []);
  for (const some of runsOf(wanted)) {
    const { unhandledErrors } = await vitest.runTestSpecifications(some);
    if (hasFailed || unhandledErrors.length > 0) return 'failed';
  }
  return 'passed';
}

/** Vitest runs the projects in an order of its own, so those that follow each other here are run together. */
function runsOf(wanted: readonly TestSpecification[]): TestSpecification[][] {
  const runs: TestSpecification[][] = [];
  for (const each of wanted) {
    const last = runs.at(-1);
    if (last?.[0]?.project === each.project) last.push(each);
    else runs.push([each]);
  }
  return runs;
}

function stopIf(isFailure: boolean): void {
  if (!isFailure || hasFailed) return;
  // A file that is stopped says nothing of its tests that failed.
  hasFailed = true;
  void vitest.cancelCurrentRun('test-failure');
}
