import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod';
import { failureBody } from '../../src/http/failure.ts';
import { formatOf } from '../../src/links/import/file-kinds.ts';
import { rowTooLong } from '../../src/links/import/file-line.ts';
import { SAY_BY_OPTIONS, SAY_WHAT_IT_IS } from '../../src/links/import/mapping.ts';
import { withOptions } from '../../src/links/import/option-words.ts';
import { pieceFrom, type CutFile, type Piece } from '../../src/links/import/pieces.ts';
import { notesByRow } from '../../src/links/import/row-notes.ts';
import { MAX_PIECE_BYTES } from '../../src/operator/imports.ts';
import { UsageError } from '../cli-error.ts';
import { TemporaryError, type Service } from '../operator-service.ts';
import { openBar } from '../progress.ts';
import type { ImportOptions } from './options.ts';
import { addToReport, removeState, writeState, type ImportState } from './state.ts';

const MAX_ROWS = 1000;
// For what the file is read as, the first rows are enough.
const ROWS_TO_RECOGNISE = 100;
// Beside the piece, a request has its head.
const MAX_BYTES = MAX_PIECE_BYTES - 16 * 1024;

const begun = z.object({ key_id: z.string() });
const done = z.object({});
const rowAnd = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object({ row: z.int(), ...shape }));
const response = z.object({
  created: z.int(),
  unchanged: z.int(),
  format: z.object({ id: z.string(), name: z.string(), by: z.enum(['recognised', 'chosen', 'mapped']) }),
  columns: z.array(z.object({ column: z.string(), field: z.string().nullable() })),
  notes: z.array(z.string()),
  skipped: rowAnd({ reason: z.string() }),
  refused: rowAnd({ error: z.string() }),
  noted: rowAnd({ notes: z.array(z.string()) }),
  only_totals: z.array(z.int()),
  pending: z.array(z.object({ host: z.string(), txt: z.object({ name: z.string(), value: z.string() }).nullable() })),
});

/** The form in which a file is read. */
export type Recognised = Pick<z.output<typeof response>, 'format' | 'columns' | 'notes'>;

interface Sending {
  readonly sha256: string;
  /** The state of this import, if it was interrupted before. */
  readonly known: ImportState | null;
  /** True to stop after the current piece. */
  readonly isStopped: () => boolean;
  /** Is called with what the file is read as, before anything is written. */
  readonly onRecognised: (recognised: Recognised) => void;
}

/**
 * Sends a file in pieces, and notes each after its answer. Returns how far it came, and for each domain that links wait for
 * what to do. Throws `UsageError`.
 */
export async function sendPieces(
  service: Service,
  options: ImportOptions,
  cut: CutFile,
  { sha256, known, isStopped, onRecognised }: Sending,
): Promise<{ readonly state: ImportState; readonly pending: ReadonlyMap<string, string> }> {
  const { file, reportFile, notesFile, client, isDryRun } = options;
  const end = async (key_id: string, more = {}) =>
    service.askWithRetry('finish-import', { client_id: client, key_id, dry_run: isDryRun, ...more }, done);
  if (known) await end(known.key_id);
  const { key_id } = await service.ask('begin-import', { client_id: client }, begun);
  const state: ImportState = { ...(known ?? newState(sha256)), key_id };
  const pending = new Map<string, string>();
  const sendable = { ...options, dates: cut.dates };
  try {
    if (!known) {
      const recognised = await recognise(service, options, cut, state);
      if (recognised) onRecognised(recognised);
      if (recognised && recognised.format.by !== 'mapped') state.from = recognised.format.id;
    }
    if (!isDryRun) writeState(file, state);
    const bar = openBar('rows', cut.rowCount, state.next);
    const most = { maxRows: MAX_ROWS, maxBytes: MAX_BYTES };
    for (let piece; !isStopped() && (piece = pieceFrom(cut, state.next, most)) !== null;) {
      const where = `The import stopped at rows ${piece.first} to ${piece.last}`;
      const sent = await send(service, sendable, piece, state).catch((cause: unknown) => explain(cause, where));
      const { created, unchanged, skipped, refused, noted, only_totals: onlyTotals } = sent;
      state.next = piece.to;
      state.created += created;
      state.unchanged += unchanged;
      state.refused += refused.length;
      state.skipped += skipped.length;
      state.noted += noted.length;
      state.only_totals += onlyTotals.length;
      const errors = refused.map(({ row, error }) => [row, error] as const);
      state.report_bytes = addToReport({ path: reportFile, length: state.report_bytes }, 'error', errors);
      const notes = notesByRow(sent);
      state.notes_bytes = addToReport({ path: notesFile, length: state.notes_bytes }, 'note', notes);
      if (!isDryRun) writeState(file, state);
      for (const { host, txt } of sent.pending)
        pending.set(host, txt ? `set the TXT record ${txt.name} to ${txt.value}, then verify it` : 'it would be added');
      bar.show(state.next);
    }
    bar.end();
  } catch (error) {
    if (!isDryRun && state.next === 0 && !(error instanceof TemporaryError)) removeState(file);
    // It expires by itself too.
    await end(key_id).catch(() => {});
    throw error;
  }
  const isWhole = state.next === cut.rowCount;
  await end(key_id, isWhole && !isDryRun ? { import: countsOf(state) } : {});
  if (isWhole && !isDryRun) removeState(file);
  return { state, pending };
}

function newState(sha256: string): Omit<ImportState, 'key_id'> {
  const none = { next: 0, created: 0, unchanged: 0, refused: 0, skipped: 0, noted: 0, only_totals: 0 };
  return { sha256, import_id: randomUUID(), from: null, ...none, report_bytes: 0, notes_bytes: 0 };
}

const countsOf = ({ import_id: id, next, skipped, unchanged, refused: failed }: ImportState) => ({
  id,
  rows: next - skipped,
  unchanged,
  failed,
});

// A file of JSON can begin with rows that are no objects, and name no columns.
async function recognise(
  service: Service,
  options: ImportOptions,
  cut: CutFile,
  state: ImportState,
): Promise<Recognised | null> {
  const most = { maxRows: ROWS_TO_RECOGNISE, maxBytes: MAX_BYTES };
  const query = { ...options.query, dry_run: 'true' };
  for (let piece = pieceFrom(cut, 0, most); piece !== null; piece = pieceFrom(cut, piece.to, most)) {
    const where = `${basename(options.file)} cannot be imported`;
    const asked = send(service, { ...options, query, dates: cut.dates }, piece, state);
    const recognised = await asked.catch((cause: unknown) => explain(cause, where));
    if (recognised.columns.length > 0) return recognised;
  }
  return null;
}

async function send(
  service: Service,
  { client, file, query, dates }: ImportOptions & Pick<CutFile, 'dates'>,
  piece: Piece,
  state: ImportState,
): Promise<z.output<typeof response>> {
  if (piece.bytes === null) {
    const refused = [{ row: piece.first, error: failureBody(rowTooLong()).error }];
    return { ...NOTHING, refused };
  }
  const head = {
    client_id: client,
    key_id: state.key_id,
    format: formatOf(file),
    query: { ...(state.from !== null && { from: state.from }), ...query },
    rows_before: piece.rowsBefore,
    before: countsOf(state),
    dates,
  };
  const body = `${JSON.stringify(head)}\n${Buffer.from(piece.bytes).toString()}`;
  return service.askWithRetry('import-rows', body, response);
}

function explain(cause: unknown, where: string): never {
  if (!(cause instanceof UsageError)) throw cause;
  const said = cause.message.replace(SAY_WHAT_IT_IS, SAY_BY_OPTIONS);
  const sentence = `${where}: ${withOptions(said)}`;
  if (!(cause instanceof TemporaryError)) throw new UsageError(sentence, { cause });
  throw new TemporaryError(`${sentence} Run the same command again to continue.`, { cause });
}

const NOTHING: z.output<typeof response> = {
  created: 0,
  unchanged: 0,
  format: { id: '', name: '', by: 'recognised' },
  columns: [],
  notes: [],
  skipped: [],
  refused: [],
  noted: [],
  only_totals: [],
  pending: [],
};
