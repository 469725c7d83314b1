import { Hono, type Context } from 'hono';
import { AppError } from '../../errors.ts';
import { answerLinkFile } from '../../http/link-file.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { targetPolicyOf } from '../../http/target-policy.ts';
import { exportLinks } from '../../links/export/export.ts';
import { formatOf, parseLinkFile, type FileFormat } from '../../links/import/import-file.ts';
import { importLinks, createdLinks, ROWS_PER_CREATE, type ImportResult } from '../../links/import/import.ts';
import { forgetAbsent } from '../../links/redirect/resolve.ts';
import type { PlatformEnv } from '../env.ts';
import { seeImportedInPart, seeOther } from '../flash.ts';
import { newForm, readFieldsAndFile, submit } from '../form.ts';
import { inClient, signedIn } from '../guard.ts';
import { fieldError } from '../../validation.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { FilesPage, ImportPage } from './files-page.tsx';

const LINKS = '/platform/c/:client/links';

/** The largest file that a page can carry in a form; the API takes larger ones. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 64 * 1024;
// In base64, which keeps every byte of the file, while a browser would change the line ends of a text.
const MAX_CARRIED_BYTES = Math.ceil((MAX_FILE_BYTES * 4) / 3) + 64 * 1024;

/** All links of a client as a file, and back. */
export function linkFilePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINKS}/files`, signedIn, inClient, (c) =>
    page(c, { title: 'Import or export' }, <FilesPage client={c.var.client} form={newForm()} />),
  );

  for (const format of ['csv', 'ndjson'] as const) {
    pages.get(`${LINKS}/export.${format}`, signedIn, inClient, async (c) =>
      answerLinkFile(c, format, exportLinks(c.var.db, c.var.actor)),
    );
  }

  // Shows what an import would do, and carries the file to the form that runs it.
  pages.post(`${LINKS}/import`, signedIn, inClient, async (c) => {
    const sent = await submit(c, {}, async () => {
      const { file } = await readFieldsAndFile(c, 'file', MAX_UPLOAD_BYTES);
      if (file === null) throw noFile();
      const bytes = new Uint8Array(await file.arrayBuffer());
      const format = formatOf(file.name);
      return { bytes, format, name: file.name, rows: await importFile(c, bytes, format, { dryRun: true }) };
    });
    const { client } = c.var;
    if (!sent.ok) {
      const { status, form } = sent;
      return page(c, { title: 'Import or export', status }, <FilesPage client={client} form={form} />);
    }
    const { bytes, format, name, rows } = sent.value;
    const carried = { format, content: Buffer.from(bytes).toString('base64') };
    return page(c, { title: 'Import' }, <ImportPage {...{ client, name, rows, carried }} site={c.var.site} />);
  });

  pages.post(`${LINKS}/import/run`, signedIn, inClient, async (c) => {
    const { client } = c.var;
    const { fields } = await readFieldsAndFile(c, 'file', MAX_CARRIED_BYTES);
    const bytes = new Uint8Array(Buffer.from(fields['content'] ?? '', 'base64'));
    const rows = await importFile(c, bytes, fields['format'] === 'ndjson' ? 'ndjson' : 'csv', { dryRun: false });
    const rowsOf = (status: ImportResult['status']) => rows.filter(({ result }) => result.status === status);
    const faults = rowsOf('error').map(({ row }) => row);
    if (faults.length === 0) return seeOther(c, clientPath(client, 'links'), 'links-imported');
    const [created, unchanged] = [rowsOf('created').length, rowsOf('unchanged').length];
    return seeImportedInPart(c, clientPath(client, 'links/files'), { created, unchanged, faults });
  });

  return pages;
}

async function importFile(
  c: Context<PlatformEnv>,
  bytes: Uint8Array,
  format: FileFormat,
  options: { readonly dryRun: boolean },
) {
  const { db, actor, site } = c.var;
  const rows = await parseLinkFile([bytes], format, site).catch(throwOfFile);
  await limitRate(c, 'create', actor.credential, Math.ceil(rows.length / ROWS_PER_CREATE));
  const results = await importLinks(db, actor, rows, {
    ...options,
    targetPolicy: targetPolicyOf(c),
  });
  forgetAbsent(c.var.services.memory, createdLinks(results));
  return results.map((result, index) => ({ row: rows[index]!.number, source: rows[index]!.content, result }));
}

function noFile(): AppError {
  return fieldError('missing_field', 'file', 'Choose a file first.');
}

// The form has no fields for the columns of a file.
function throwOfFile(error: unknown): never {
  throw error instanceof AppError ? fieldError(error.code, 'file', error.message) : error;
}
