import type { Site } from '../network/hosts.ts';
import { fieldErrorsOf } from '../input/field-errors.ts';
import { failureBody } from '../http/failure.ts';
import { overviewOf } from '../http/import-summary.ts';
import type { LinkFile } from '../links/import/import-file.ts';
import type { FileRow } from '../links/import/import-row.ts';
import { notesOf } from '../links/import/row-notes.ts';
import type { ImportResult } from '../links/import/import.ts';
import { toManagedRecord } from './record.ts';

/** The answer of an import, as texts, since one text could be as long as the file. */
export async function* presentImport(
  file: LinkFile,
  results: readonly ImportResult[],
  { dryRun, site, domains }: { readonly dryRun: boolean; readonly site: Site; readonly domains: readonly object[] },
): AsyncGenerator<string, void> {
  const { skipped, ...overview } = overviewOf(file, results);
  const head = { dry_run: dryRun, ...overview, pending_domains: domains, skipped };
  let text = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for (const [index, result] of results.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(presentResult(file.rows[index]!, result, site))}`;
    if (index % RESULTS_PER_TEXT !== RESULTS_PER_TEXT - 1) continue;
    yield text;
    text = '';
  }
  yield `${text}]}`;
}

const RESULTS_PER_TEXT = 50;

function presentResult(fileRow: FileRow, result: ImportResult, site: Site) {
  const { number: row } = fileRow;
  if (result.status === 'error') {
    const errors = fieldErrorsOf(result.error);
    return { row, status: 'error', error: failureBody(result.error).error, ...(errors.length > 0 && { errors }) };
  }
  const hasNotes = fileRow.hasOnlyTotal || fileRow.notes.length > 0;
  return {
    row,
    status: result.status,
    ...(hasNotes && { notes: notesOf(fileRow) }),
    ...(result.link && { link: toManagedRecord(result.link, site) }),
  };
}
