import { readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { AppError } from '../src/errors.ts';
import { formatOf } from '../src/links/import/file-kinds.ts';
import { cutFile, type CutFile } from '../src/links/import/pieces.ts';
import { run, UsageError } from './cli-error.ts';
import { readImportOptions, type ImportOptions } from './import/options.ts';
import { sendPieces } from './import/send.ts';
import { nameImport, openReport, readState, stateFileOf } from './import/state.ts';
import { LOCATION_USAGE } from './location.ts';
import { withService } from './operator.ts';

/** `npm run import -- FILE --client CLIENT`: imports a large file of links for a client, in pieces. */

const USAGE = `Usage: npm run import -- FILE --client CLIENT [--dry-run] [--from FORMAT] [--host PLACE]... [--unprotected publish]
         ${LOCATION_USAGE}

Imports the links of a CSV (or of an NDJSON, named *.ndjson) for a client, by the rules of POST /v1/links/import, with any
number of rows. Links on a domain that the client does not have wait until it is verified. How far it has come is noted in
FILE.import-state: after an interruption run the same command again, and it continues. Refused rows are in FILE.refused.csv,
with the numbers that a spreadsheet shows. --dry-run changes nothing. --from, --host and --unprotected are
those of the API.
Exit codes: 0 all rows are imported, 3 some rows were refused, 2 a mistake, which is explained, 130 interrupted.`;

const MAX_FILE_BYTES = 1024 ** 3;
const SOME_REFUSED = 3;

if (import.meta.main) await run(() => importFile(process.argv.slice(2)));

/** Runs the tool. Throws `UsageError`. */
export async function importFile(args: readonly string[]): Promise<void> {
  const options = readImportOptions(args);
  if (options === null) return console.log(USAGE);
  const bytes = readWhole(options.file);
  const { client, query, location } = options;
  const sha256 = nameImport(bytes, {
    client,
    query,
    location: { ...location, persistTo: location.remote ? null : location.persistTo },
  });
  const cut = cutWhole(basename(options.file), bytes);
  const known = options.isDryRun ? null : readState(options.file, sha256);
  openReport(options.reportFile, known?.report_bytes ?? 0);
  const end = sayHowToGoOn(options);
  const begun = Date.now();
  const { state, pending } = await withService(location, async (service) =>
    sendPieces(service, options, cut, { sha256, known }),
  );
  end();
  const seconds = Math.max((Date.now() - begun) / 1000, 0.001);
  const rows = cut.rowCount - (known?.next ?? 0);
  console.log(`${options.isDryRun ? 'would be created' : 'created'}: ${state.created}
unchanged: ${state.unchanged}
refused: ${state.refused}${state.refused > 0 ? `, see ${options.reportFile}` : ''}${state.skipped > 0 ? `\nskipped: ${state.skipped}` : ''}
rows a second: ${Math.round(rows / seconds)}`);
  for (const [host, step] of pending) console.log(`waits for ${host}: ${step}`);
  if (state.refused > 0) process.exitCode = SOME_REFUSED;
}

function readWhole(file: string): Buffer {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new UsageError(`${file} is not a file: name the file with the links.`);
  if (stat.size > MAX_FILE_BYTES) throw new UsageError(`${file} is larger than 1 GiB: split it.`);
  return readFileSync(file);
}

// Before anything is written: an error of the file as a whole has the numbers of all its rows.
function cutWhole(name: string, bytes: Uint8Array): CutFile {
  const kind = formatOf(name);
  if (kind === 'json') throw new UsageError(`${name} is JSON: import it by the API or its page, or as NDJSON.`);
  try {
    return cutFile(kind, bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`${name} cannot be imported: ${error.message}`, { cause: error });
  }
}

function sayHowToGoOn({ file, isDryRun }: ImportOptions): () => void {
  const advice = isDryRun
    ? 'Interrupted. A dry run has changed nothing.'
    : `Interrupted. Run the same command again to continue; ${stateFileOf(file)} has how far it came.`;
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    console.error(`\n${advice}`);
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return () => void process.off('SIGINT', stop).off('SIGTERM', stop);
}
