import { Hono } from 'hono';
import * as z from 'zod';
import { AppError } from '../../../errors.ts';
import { summaryOf, type ImportSummary } from '../../../http/import-summary.ts';
import { lazy } from '../../../isolate/lazy.ts';
import { MAX_FILE_BYTES, MAX_ROWS_IN_PIECES, PIECE } from '../../../links/import/bounds.ts';
import { finishImport } from '../../../links/import/import-event.ts';
import type { PlatformEnv } from '../../env.ts';
import { readFieldsAndFile } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { plain, type PageWords } from '../../words.tsx';
import { importFile } from './import-run.ts';
import { complaintIn } from './import-words.ts';
import { displayHost, withReadableHosts } from '../display-url.ts';

// Beside the piece, the form has its fields: `checked` names up to 20 hosts and 8 columns.
const MAX_BODY_BYTES = PIECE.maxBytes + 64 * 1024;

const upTo = (most: number) => z.coerce.number().int().min(0).max(most);

const pieceForm = lazy(() =>
  z.strictObject({
    format: z.enum(['csv', 'ndjson', 'json']),
    /** The choices for the file when it was checked, as a query. */
    checked: z.string().default(''),
    /** Of the import, the same for all of its pieces. */
    import_id: z.uuid(),
    /** As `Piece.rowsBefore`: it counts empty rows too. */
    rows_before: upTo(MAX_FILE_BYTES),
    /** The counts of the pieces before. */
    rows: upTo(MAX_ROWS_IN_PIECES),
    unchanged: upTo(MAX_ROWS_IN_PIECES),
    failed: upTo(MAX_ROWS_IN_PIECES),
    is_last: z.enum(['true', 'false']).transform((text) => text === 'true'),
  }),
);

/**
 * Imports a piece of a file that a script of the import's page has cut. A piece that is sent again, since its response
 * was lost, finds its links there, and the file has one event, which its last piece announces.
 */
export function importPieces(): Hono<PlatformEnv> {
  const pieces = new Hono<PlatformEnv>();

  pieces.post('/platform/c/:client/links/import/piece', signedIn, inClient, async (c) => {
    const { fields, file: sent } = await readFieldsAndFile(c, 'file', MAX_BODY_BYTES);
    const { success, data: piece } = pieceForm().safeParse(fields);
    if (!success || sent === null) throw notAPiece();
    const { client, db, session } = c.var;
    // An id of another user's import has no effect on the event of that.
    const part = { clientId: client.id, importId: `${session.userId} ${piece.import_id}` };
    const { rows, unchanged, failed } = piece;
    const { file, results, pending } = await importFile(
      c,
      { bytes: new Uint8Array(await sent.arrayBuffer()), kind: piece.format, checked: piece.checked },
      {
        dryRun: false,
        maxRows: PIECE.maxRows,
        rowsBefore: piece.rows_before,
        part: { ...part, before: { rows, unchanged, failed } },
      },
    );
    const summary = readable(c.var.words, summaryOf(file, results, pending));
    if (piece.is_last) {
      await finishImport(db, part, {
        rows: rows + results.length,
        unchanged: unchanged + summary.unchanged,
        failed: failed + summary.errors,
      });
    }
    return c.json({ rows: results.length, ...summary });
  });

  return pieces;
}

/** A summary as people read it, without codes, since the page shows it as it is. */
function readable(words: PageWords, summary: ImportSummary): ImportSummary {
  return {
    ...summary,
    refused: summary.refused.map(({ row, error }) => ({
      row,
      error: plain(complaintIn(words, error.replace(/^[a-z_]+: /, ''))),
    })),
    noted: summary.noted.map(({ row, notes }) => ({
      row,
      notes: notes.map((note) => plain(words.said(withReadableHosts(note)))),
    })),
    pending: summary.pending.map(({ host, txt }) => ({ host: displayHost(host), txt })),
  };
}

function notAPiece(): AppError {
  return new AppError('malformed_body', 'This is not part of a file. Reload the page, and import the file again.');
}
