import * as z from 'zod';
import { MAX_PIECE_BYTES } from '../../src/operator/imports.ts';
import { rowTooLong } from '../../src/links/import/file-line.ts';
import { pieceFrom, type CutFile, type Piece } from '../../src/links/import/pieces.ts';
import { formatOf } from '../../src/links/import/file-kinds.ts';
import { failureBody } from '../../src/http/failure.ts';
import { UsageError } from '../cli-error.ts';
import type { Service } from '../operator-service.ts';
import { openBar } from '../progress.ts';
import type { ImportOptions } from './options.ts';
import { addToReport, removeState, writeState, type ImportState } from './state.ts';

const MAX_ROWS = 1000;
// Beside the piece, a request has its head.
const HEAD_BYTES = 16 * 1024;

const NONE = { created: 0, unchanged: 0, skipped: [], pending: [] };

const begun = z.object({ key_id: z.string() });
const done = z.object({});
const answer = z.object({
  created: z.int(),
  unchanged: z.int(),
  skipped: z.array(z.unknown()),
  refused: z.array(z.object({ row: z.int(), error: z.string() })),
  pending: z.array(z.object({ host: z.string(), txt: z.object({ name: z.string(), value: z.string() }).nullable() })),
});

/** Sends a file in pieces, and notes each after its answer. Throws `UsageError`. */
export async function sendPieces(
  service: Service,
  { file, reportFile, client, query, isDryRun }: ImportOptions,
  cut: CutFile,
  { sha256, known }: { readonly sha256: string; readonly known: ImportState | null },
) {
  const finish = async (key_id: string) => service.askWithRetry('finish-import', { client_id: client, key_id }, done);
  if (known) await finish(known.key_id);
  const { key_id } = await service.ask('begin-import', { client_id: client }, begun);
  const none = { sha256, next: 0, created: 0, unchanged: 0, refused: 0, skipped: 0, report_bytes: 0 };
  const state: ImportState = { ...(known ?? none), key_id };
  if (!isDryRun) writeState(file, state);
  const pending = new Map<string, string>();
  const bar = openBar('rows', cut.rowCount, state.next);
  const send = async (piece: Piece) => {
    if (piece.bytes === null)
      return { ...NONE, refused: [{ row: piece.first, error: failureBody(rowTooLong()).error }] };
    const head = { client_id: client, key_id, format: formatOf(file), query, rows_before: piece.rowsBefore };
    const body = `${JSON.stringify(head)}\n${Buffer.from(piece.bytes).toString()}`;
    return service.askWithRetry('import-rows', body, answer).catch((cause: unknown) => explain(cause, piece));
  };
  const most = { maxRows: MAX_ROWS, maxBytes: MAX_PIECE_BYTES - HEAD_BYTES };
  for (let piece = pieceFrom(cut, state.next, most); piece !== null; piece = pieceFrom(cut, state.next, most)) {
    const { created, unchanged, skipped, refused, pending: waiting } = await send(piece);
    state.next = piece.to;
    state.created += created;
    state.unchanged += unchanged;
    state.refused += refused.length;
    state.skipped += skipped.length;
    state.report_bytes = addToReport(reportFile, refused, state.report_bytes);
    if (!isDryRun) writeState(file, state);
    for (const { host, txt } of waiting)
      pending.set(host, txt ? `set the TXT record ${txt.name} to ${txt.value}, then verify it` : 'it would be added');
    bar.show(state.next);
  }
  bar.end();
  await finish(key_id);
  if (!isDryRun) removeState(file);
  return { state, pending };
}

function explain(cause: unknown, { first, last }: Piece): never {
  if (!(cause instanceof UsageError)) throw cause;
  const sentence = `The import stopped at rows ${first} to ${last}: ${cause.message} Run the same command again to continue.`;
  throw new UsageError(sentence, { cause });
}
