import * as z from 'zod';
import type { Actor } from '../accounts/access.ts';
import { generateApiKey } from '../accounts/keys/api-key.ts';
import { clientId } from '../accounts/users/names.ts';
import { endKeyNamed, removeKeyNamed, useKeyNamed } from '../accounts/operator.ts';
import { importRows } from '../domains/import-rows.ts';
import { AppError } from '../errors.ts';
import { serveDatabase } from '../database/service-database.ts';
import { EventNotifier } from '../events/notify.ts';
import { readBytes } from '../http/body.ts';
import { summaryOf } from '../http/import-summary.ts';
import { linkImportQuery } from '../http/transfer-queries.ts';
import { lazy } from '../isolate/lazy.ts';
import { finishImport, importIdOf } from '../links/import/import-event.ts';
import { readFileOptions } from '../links/import/file-fields.ts';
import { seenDates } from '../links/import/dates/seen.ts';
import { parseLinkFile } from '../links/import/import-file.ts';
import { parseFields } from '../input/validation.ts';
import { auditImport } from './audit.ts';
import { createClientKey } from './client-key.ts';
import { command, parse, subjectOf, type OperatorCommand, type Stores } from './command.ts';

/**
 * The commands of `npm run import`: a large file in pieces, each of them a file. Links need a creator, so an import has
 * a key of its own. Its secret is not kept: only these commands use the key, by its id. It ends with the import, or some
 * minutes after its last piece; that of a dry run is deleted. The operator's filtering resolver is not asked; blocked hosts
 * are refused.
 */

const KEY_NAME = 'npm run import';
// Longer than the tool waits between two pieces while the service does not respond.
const KEY_LIFETIME_MS = 30 * 60 * 1000;
/** Also of the request that the tool sends. */
export const MAX_PIECE_BYTES = 1_900_000;
const LF = 0x0a;

const ofImport = () => ({ client_id: clientId(), key_id: z.string().max(64) });

/** The import that a piece is of, and the rows until then, as `ImportPart`. */
const progress = () => z.strictObject({ id: z.uuid(), rows: z.int(), unchanged: z.int(), failed: z.int() });

const pieceHead = lazy(() =>
  z.strictObject({
    ...ofImport(),
    format: z.enum(['csv', 'ndjson', 'json']),
    /** As `Piece.rowsBefore`. */
    rows_before: z.int().min(0),
    before: progress(),
    /** Of the whole file. */
    dates: seenDates().optional(),
    /** As the query of `POST /v1/links/import`, without the client. */
    query: z.record(z.string().max(64), z.union([z.string().max(1024), z.array(z.string().max(1024)).max(20)])),
  }),
);

export const IMPORT_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'begin-import': command(
    () => z.strictObject({ client_id: clientId() }),
    async ({ db }, { client_id }) => {
      const { id } = await createClientKey(db, client_id, KEY_NAME, KEY_LIFETIME_MS, generateApiKey(), false);
      return { key_id: id };
    },
  ),
  'import-rows': importPiece,
  'finish-import': command(
    () => z.strictObject({ ...ofImport(), dry_run: z.boolean(), import: progress().optional() }),
    async ({ db, events }, { client_id: clientId, key_id: id, dry_run: isDryRun, import: done }) => {
      const key = { clientId, id, name: KEY_NAME };
      const waking = new EventNotifier(() => events);
      if (done)
        await finishImport(serveDatabase(db, { onResults: waking.onResults }), { clientId, importId: done.id }, done);
      await waking.done();
      await (isDryRun ? removeKeyNamed(db, key) : endKeyNamed(db, key));
      return {};
    },
  ),
};

/** The body is a line of JSON, and the piece of the file behind it. */
async function importPiece({ db, site: common, record }: Stores, request: Request): Promise<object> {
  const bytes = await readBytes(request, { maxBytes: MAX_PIECE_BYTES });
  const end = bytes.indexOf(LF);
  const head = parse(pieceHead(), parseHead(bytes.subarray(0, end === -1 ? 0 : end)));
  await record(subjectOf(head));
  const { dry_run: dryRun, ...query } = parseFields(linkImportQuery(), head.query);
  const key = { clientId: head.client_id, id: head.key_id, name: KEY_NAME };
  const credential = await useKeyNamed(db, key, KEY_LIFETIME_MS);
  if (credential === null)
    throw new AppError('edit_conflict', 'The key of the import has expired: start the import again.');
  const actor: Actor = { credential, clientId: head.client_id };
  const part = { clientId: head.client_id, importId: head.before.id, before: head.before };
  const site = { ...common, requestUrl: new URL(request.url) };
  const options = readFileOptions(query);
  const file = await parseLinkFile([bytes.subarray(end + 1)], head.format, site, {
    ...options,
    rowsBefore: head.rows_before,
    ...(head.dates && { seenDates: head.dates }),
  });
  if (!dryRun && head.rows_before === 0) await db.batch([auditImport(head.client_id, importIdOf(part), Date.now())]);
  const { results, pending } = await importRows({ db }, actor, file.rows, site, { dryRun, byOperator: true, part });
  return summaryOf(file, results, pending);
}

function parseHead(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new AppError('malformed_body', 'The first line is not JSON.', { cause });
  }
}
