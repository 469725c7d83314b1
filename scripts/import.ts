import { readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { AppError } from '../src/errors.ts';
import { formatOf } from '../src/links/import/file-kinds.ts';
import { withOptions } from '../src/links/import/option-words.ts';
import { cutFile, type CutFile } from '../src/links/import/pieces.ts';
import { run, UsageError } from './cli-error.ts';
import { readImportOptions, type ImportOptions } from './import/options.ts';
import { sendPieces, type Recognised } from './import/send.ts';
import { nameImport, openReport, readState, stateFileOf } from './import/state.ts';
import { LOCATION_USAGE } from './location.ts';
import { withService } from './operator.ts';

/** `npm run import -- FILE --client CLIENT`: imports a large file of links for a client, in pieces. */

const USAGE = `Usage: npm run import -- FILE --client CLIENT [--dry-run] [--from FORMAT | --map FIELD=COLUMN...]
         [--host PLACE]... [--unprotected publish] [--dates ORDER] [--charset NAME] ${LOCATION_USAGE}

Imports the links of a CSV, a list of URLs, an NDJSON (named *.ndjson) or a JSON (named *.json) for a client, by the rules
of POST /v1/links/import, with any number of rows. What the file is read as is printed before anything is written. Links on a
domain that the client does not have wait until it is verified. How far it has come is noted in FILE.import-state: after an
interruption run the same command again, and it continues. Refused rows are in FILE.refused.csv, and what is not kept of the
others is in FILE.notes.csv, with the numbers that a spreadsheet shows. --dry-run creates nothing. --from, --map, --host,
--unprotected, --dates and --charset are those of the API; --map url="Long link" is map_url there, and can be repeated, as --host can.
Exit codes: 0 all rows are imported, 3 some rows were refused, 2 a mistake, which is explained, 130 interrupted.`;

const MAX_FILE_BYTES = 1024 ** 3;
const SOME_REFUSED = 3;
const BY = { recognised: ', recognised by its columns', chosen: '', mapped: '' };

if (import.meta.main) await run(() => importFile(process.argv.slice(2)));

/** Runs the tool. Throws `UsageError`. */
async function importFile(args: readonly string[]): Promise<void> {
  const options = readImportOptions(args);
  if (options === null) return console.log(USAGE);
  const bytes = readWhole(options.file);
  const { client, query, location } = options;
  const sha256 = nameImport(bytes, {
    client,
    query,
    location: { ...location, persistTo: location.remote ? null : location.persistTo },
  });
  const cut = cutWhole(basename(options.file), bytes, options.charset);
  const known = options.isDryRun ? null : readState(options.file, sha256);
  openReport(options.reportFile, known?.report_bytes ?? 0);
  openReport(options.notesFile, known?.notes_bytes ?? 0);
  const signals = watchSignals();
  const begun = Date.now();
  const sending = { sha256, known, isStopped: signals.isStopped, onRecognised: print };
  const { state, pending } = await withService(location, async (service) =>
    sendPieces(service, options, cut, sending),
  ).finally(signals.end);
  if (state.next < cut.rowCount) return sayHowToContinue(options, signals.exitCode());
  const seconds = Math.max((Date.now() - begun) / 1000, 0.001);
  const { created, unchanged, refused, skipped, noted, only_totals: onlyTotals } = state;
  console.log(`${options.isDryRun ? 'would be created' : 'created'}: ${created}
unchanged: ${unchanged}
refused: ${refused}${refused > 0 ? `, see ${options.reportFile}` : ''}`);
  if (skipped > 0) console.log(`skipped: ${skipped}, see ${options.notesFile}`);
  if (noted > 0) console.log(`with notes: ${noted}, see ${options.notesFile}`);
  if (onlyTotals > 0) console.log(`with clicks as a total only: ${onlyTotals}, see ${options.notesFile}`);
  console.log(`rows a second: ${Math.round((cut.rowCount - (known?.next ?? 0)) / seconds)}`);
  for (const [host, step] of pending) console.log(`waits for ${host}: ${step}`);
  if (refused > 0) process.exitCode = SOME_REFUSED;
}

function print({ format, columns, notes }: Recognised): void {
  const kept = columns.flatMap(({ column, field }) => (field === null ? [] : [`${column} → ${field}`]));
  const left = columns.flatMap(({ column, field }) => (field === null ? [column] : []));
  console.log(`Read as ${format.name}${BY[format.by]}: ${kept.join(', ')}`);
  if (left.length > 0) console.log(`Not kept: ${left.join(', ')}`);
  for (const note of notes) console.log(note);
}

function readWhole(file: string): Buffer {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new UsageError(`${file} is not a file: name the file with the links.`);
  if (stat.size > MAX_FILE_BYTES) throw new UsageError(`${file} is larger than 1 GiB: split it.`);
  return readFileSync(file);
}

// Before anything is written: an error of the file as a whole has the numbers of all its rows.
function cutWhole(name: string, bytes: Uint8Array, charset: string | undefined): CutFile {
  const kind = formatOf(name);
  try {
    return cutFile(kind, bytes, charset);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`${name} cannot be imported: ${withOptions(error.message)}`, { cause: error });
  }
}

function sayHowToContinue({ file, isDryRun }: ImportOptions, exitCode: number): void {
  const advice = isDryRun
    ? 'A dry run has created nothing.'
    : `Run the same command again to continue; ${stateFileOf(file)} has how far it came.`;
  console.error(`\nInterrupted. ${advice}`);
  process.exitCode = exitCode;
}

// The piece that is under way is still noted, and the key of the import ended. A second signal stops at once.
function watchSignals() {
  let received: 'SIGINT' | 'SIGTERM' | null = null;
  const exitCode = () => 128 + (received === null ? 0 : constants.signals[received]);
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    if (received !== null) process.exit(exitCode());
    received = signal;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const end = () => void process.off('SIGINT', stop).off('SIGTERM', stop);
  return { isStopped: () => received !== null, exitCode, end };
}
