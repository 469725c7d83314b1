import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { optionFault, run, UsageError } from './cli-error.ts';
import { tableText, withTable } from './doc-tables.ts';
import { FLOWS, flowOf, type Flow } from './trace/flows.ts';
import { describeWay, tableOf } from './trace/report.ts';
import { startTraced, type TracedService } from './trace/service.ts';
import { wayOf, type Way } from './trace/way.ts';

/**
 * `npm run trace`: through how many files of `src/` each flow goes, and how many hops that takes.
 * `-- "POST /v1/links"` prints the whole way of one, or of another method and path, after which the body may be given.
 * `-- --write` writes the table into `docs/architecture.md`.
 */

const ROOT = join(import.meta.dirname, '..');
const PAGE = 'docs/architecture.md';

if (import.meta.main) {
  await run(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2));
    const [name, body] = positionals;
    const flows = name === undefined ? FLOWS : [flowOf(name, body)];
    const ways = await traceAll(flows);
    if (name !== undefined) return console.log(ways.map(([flow, way]) => describeWay(flow, way)).join('\n'));
    console.log(tableText(tableOf(ways)));
    if (values.write) writeFileSync(join(ROOT, PAGE), pageWith(ways));
  });
}

function readArguments(args: readonly string[]) {
  try {
    const read = parseArgs({ args: [...args], options: { write: { type: 'boolean' } }, allowPositionals: true });
    if (read.values.write && read.positionals.length > 0)
      throw new UsageError('"--write" writes the table of all flows.');
    return read;
  } catch (error) {
    throw error instanceof UsageError ? error : optionFault('trace', error);
  }
}

/** The ways of some flows, each in the order of `flows`. */
export async function traceAll(flows: readonly Flow[]): Promise<(readonly [Flow, Way])[]> {
  const service = await startTraced(ROOT);
  try {
    const ways: (readonly [Flow, Way])[] = [];
    for (const flow of flows) ways.push([flow, await trace(service, flow)]);
    return ways;
  } finally {
    await service.end();
  }
}

async function trace(service: TracedService, flow: Flow): Promise<Way> {
  const [before, traced] = await flow.open(service);
  await service.send(before);
  return wayOf(service.functions, await service.record(traced));
}

/** `docs/architecture.md` with the table of these ways. */
export function pageWith(ways: readonly (readonly [Flow, Way])[]): string {
  const table = { page: PAGE, name: 'flows', by: 'npm run trace -- --write', rows: () => tableOf(ways) };
  return withTable(readFileSync(join(ROOT, PAGE), 'utf8'), table);
}
