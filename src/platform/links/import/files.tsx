import { Hono, type Context } from 'hono';
import { listDomains } from '../../../domains/domains.ts';
import { AppError } from '../../../errors.ts';
import { respondWithLinkFile } from '../../../http/link-file.ts';
import { exportLinks } from '../../../links/export/export.ts';
import { MAX_FORM_FILE_BYTES } from '../../../links/import/bounds.ts';
import { UnclearDates } from '../../../links/import/dates/columns.ts';
import { UnreadBytes } from '../../../links/import/unread-bytes.ts';
import { readColumns, type FileColumn } from '../../../links/import/file-columns.ts';
import { SAY_LIST, SAY_WHAT_IT_IS } from '../../../links/import/mapping.ts';
import type { ImportResult } from '../../../links/import/import.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeImportedInPart, seeOther } from '../../flash.ts';
import { newForm, readFieldsAndFile, submit, type FormState } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { fieldError } from '../../../input/validation.ts';
import { clientPath } from '../../nav.ts';
import { page } from '../../page.tsx';
import type { PageWords } from '../../words.tsx';
import { FilesPage } from './files-page.tsx';
import { fileIn, isChanged, MAP, mapsColumns, queryIn, repeatedIn, type Carried } from './import-form.ts';
import { ImportPage } from './import-page.tsx';
import { placeForeign } from './import-places.ts';
import { importFile, throwOfFile } from './import-run.ts';
import { inWords } from './import-words.ts';
import { askCharset, askDates, type Question } from './import-questions.ts';
import { MapPage } from './map-page.tsx';
import { QuestionPage } from './question-page.tsx';

// Its script also previews and sends files that are too large for its form.
const filesHead = ({ text }: PageWords) => ({ title: text('kit.importOrExport'), scripts: ['import.js'] });
const LINKS = '/platform/c/:client/links';

// In base64, which keeps every byte of the file, while a browser would change the line ends of a text.
const MAX_CARRIED_BYTES = Math.ceil((MAX_FORM_FILE_BYTES * 4) / 3) + 64 * 1024;

/** All links of a client as a file, and back. */
export function linkFilePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINKS}/files`, signedIn, inClient, (c) =>
    page(c, filesHead(c.var.words), <FilesPage client={c.var.client} form={newForm()} />),
  );

  for (const format of ['csv', 'ndjson'] as const) {
    pages.get(`${LINKS}/export.${format}`, signedIn, inClient, async (c) =>
      respondWithLinkFile(c, format, exportLinks(c.var.db, c.var.actor, c.var.openLimits)),
    );
  }

  // Shows what an import would do, and carries the file to the form that runs it.
  pages.post(`${LINKS}/import`, signedIn, inClient, async (c) => {
    const { fields, file } = await readFieldsAndFile(c, 'file', MAX_CARRIED_BYTES);
    return respondWithCheck(c, await fileIn(file, fields), fields);
  });

  pages.post(`${LINKS}/import/run`, signedIn, inClient, async (c) => {
    const { client } = c.var;
    const { fields } = await readFieldsAndFile(c, 'file', MAX_CARRIED_BYTES);
    const carried = await fileIn(null, fields);
    if (carried === null) return c.redirect(clientPath(client, 'links/files'), 303);
    // A choice that was not checked is shown before anything is created.
    if (isChanged(fields, carried.checked)) return respondWithCheck(c, carried, fields);
    const { rows, pending } = await importFile(c, carried, { dryRun: false });
    const rowsOf = (status: ImportResult['status']) => rows.filter(({ result }) => result.status === status);
    const faults = rowsOf('error').map(({ number }) => number);
    if (faults.length === 0 && pending.length > 0)
      return seeOther(c, clientPath(client, 'domains'), 'links-imported-waiting');
    if (faults.length === 0) return seeOther(c, clientPath(client, 'links'), 'links-imported');
    const [created, unchanged] = [rowsOf('created').length, rowsOf('unchanged').length];
    return seeImportedInPart(c, clientPath(client, 'links/files'), { created, unchanged, faults });
  });

  return pages;
}

async function respondWithCheck(
  c: Context<PlatformEnv>,
  carried: Carried | null,
  fields: Readonly<Record<string, string>>,
) {
  const { client, words } = c.var;
  const title = words.text('imports.title');
  const sent = await submit(c, fields, async () => {
    if (carried === null) throw noFile();
    if (carried.bytes.length > MAX_FORM_FILE_BYTES) throw tooLarge();
    return checkFile(c, carried, fields);
  });
  if (!sent.ok || carried === null) {
    const { status, form } = sent.ok ? { status: 200 as const, form: newForm() } : sent;
    return page(c, { ...filesHead(words), status }, <FilesPage client={client} form={form} />);
  }
  if ('asked' in sent.value) {
    const shown = { client, carried, fields, question: sent.value };
    return page(c, { title, status: 400 }, <QuestionPage {...shown} />);
  }
  if ('columns' in sent.value) {
    const { columns, form, status } = sent.value;
    return page(c, { title, status }, <MapPage {...{ client, carried, columns, fields, form }} />);
  }
  const { checked, placed, file: read, rows, pending } = sent.value;
  const { domains } = await listDomains(c.var.db, c.var.actor);
  const shown = { client, file: read, rows, pending, placed, domains, fields, carried: { ...carried, checked } };
  return page(c, { title }, <ImportPage {...shown} site={c.var.site} />);
}

type Checked = Awaited<ReturnType<typeof placeForeign>> & Awaited<ReturnType<typeof importFile>>;
interface ToMap {
  readonly columns: readonly FileColumn[];
  readonly form: FormState;
  readonly status: 200 | 400;
}

// The preview of a file, or its columns if they are to be mapped.
async function checkFile(
  c: Context<PlatformEnv>,
  carried: Carried,
  fields: Readonly<Record<string, string>>,
): Promise<Checked | ToMap | Question> {
  const { charset = '', charset_shown: shown, charset_guess: guess = '' } = fields;
  // A script has converted the file by its guess. Whatever the encoding is, the user sees how it reads before it counts.
  if (charset === '' && guess !== '') return askCharset(carried, guess, undefined);
  if (charset !== '' && charset !== shown) return askCharset(carried, charset, charset);
  try {
    return await readFile(c, carried, fields);
  } catch (error) {
    if (error instanceof UnreadBytes) return askCharset(carried, error.charset, error.charset);
    if (error instanceof UnclearDates) return askDates(error);
    throw error;
  }
}

async function readFile(
  c: Context<PlatformEnv>,
  carried: Carried,
  fields: Readonly<Record<string, string>>,
): Promise<Checked | ToMap> {
  const { bytes, kind } = carried;
  const charset = fields['charset'] || undefined;
  const isMapped = fields['from'] === MAP;
  const columns = isMapped ? await readColumns([bytes], kind, charset).catch(throwOfFile) : [];
  if (isMapped && !mapsColumns(fields)) return { columns, form: newForm(), status: 200 };
  if (isMapped && !Object.values(fields).includes('url')) {
    const form = { values: fields, faults: {}, complaint: c.var.words.text('imports.chooseDestination') };
    return { columns, form, status: 400 };
  }
  const faults = repeatedIn(c.var.words, fields, columns);
  if (isMapped && Object.keys(faults).length > 0) {
    return { columns, form: { values: fields, faults, complaint: null }, status: 400 };
  }
  try {
    const said = await placeForeign(c, carried, queryIn(fields, columns), fields);
    return { ...said, ...(await importFile(c, { ...carried, ...said }, { dryRun: true })) };
  } catch (error) {
    if (!isMapped && (fields['from'] ?? '') !== '') throw error;
    if (!(error instanceof AppError) || !OF_COLUMNS.has(error.code)) throw error;
    const found = await readColumns([bytes], kind, charset).catch(noColumns);
    if (found.length === 0) throw error;
    // The page has a list for each column.
    const sentence = error.message.replace(` ${SAY_WHAT_IT_IS}`, '').replace(` ${SAY_LIST}`, '');
    const complaint = c.var.words.said(inWords(sentence));
    const form = { values: fields, faults: {}, complaint };
    return { columns: found, form, status: 400 };
  }
}

function noColumns(error: unknown): readonly FileColumn[] {
  if (error instanceof UnreadBytes) throw error;
  return [];
}

// The errors of a file with columns that this service does not know.
const OF_COLUMNS: ReadonlySet<string> = new Set(['unknown_field', 'missing_field', 'repeated_field']);

function noFile(): AppError {
  return fieldError('missing_field', 'file', 'Choose a file first.');
}

function tooLarge(): AppError {
  return fieldError(
    'body_too_large',
    'file',
    'Without scripts a file can have up to 2 MiB. Allow scripts, import it with the API, or split it.',
  );
}
