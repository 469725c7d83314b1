import * as z from 'zod';
import { MAX_PIECE_BYTES } from '../../src/operator/imports.ts';
import { UsageError } from '../cli-error.ts';
import type { Service } from '../operator-service.ts';
import { openBar } from '../progress.ts';
import type { ImportOptions } from './options.ts';
import { pieceFrom, type CutFile, type Piece } from './pieces.ts';
import { addToReport, removeState, writeState, type ImportState } from './state.ts';

const MAX_ROWS = 1000;
// Beside the piece, a request has its head.
const HEAD_BYTES = 16 * 1024;

const begun = z.object({ key_id: z.string() });
const done = z.object({});
const answer = z.object({
  created: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
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
  const bar = openBar('rows', cut.ends.length, state.next);
  const head = JSON.stringify({ client_id: client, key_id, format: cut.format, query });
  const most = { maxRows: MAX_ROWS, maxBytes: MAX_PIECE_BYTES - HEAD_BYTES };
  for (let piece = pieceFrom(cut, state.next, most); piece !== null; piece = pieceFrom(cut, state.next, most)) {
    const part = piece;
    const sent = await service
      .askWithRetry('import-rows', `${head}\n${part.bytes.toString()}`, answer)
      .catch((cause: unknown) => explain(cause, cut, part));
    const refused = sent.refused.map(({ row, error }) => ({ row: row + part.from, error }));
    state.next = part.to;
    state.created += sent.created;
    state.unchanged += sent.unchanged;
    state.refused += refused.length;
    state.skipped += sent.skipped;
    state.report_bytes = addToReport(reportFile, refused, state.report_bytes);
    if (!isDryRun) writeState(file, state);
    for (const { host, txt } of sent.pending)
      pending.set(host, txt ? `set the TXT record ${txt.name} to ${txt.value}, then verify it` : 'it would be added');
    bar.show(state.next);
  }
  bar.end();
  await finish(key_id);
  if (!isDryRun) removeState(file);
  return { state, pending };
}

function explain(cause: unknown, { headRows }: CutFile, { from, to }: Piece): never {
  if (!(cause instanceof UsageError)) throw cause;
  const rows = `rows ${from + headRows + 1} to ${to + headRows}`;
  throw new UsageError(`The import stopped at ${rows}: ${cause.message} Run the same command again to continue.`, {
    cause,
  });
}
