import { txtRecordOf } from '../domains/domain.ts';
import type { WaitedFor } from '../domains/file-domains.ts';
import type { LinkFile } from '../links/import/import-file.ts';
import { hostsOfRows } from '../links/import/import-row.ts';
import type { ImportResult } from '../links/import/import.ts';
import { failureBody } from './failure.ts';

/** The summary of an imported file in responses, of all surfaces that import one. */

const MAX_HOSTS = 100;

/** The counts of an import, and what the file was taken for. */
export function overviewOf(file: LinkFile, results: readonly ImportResult[]) {
  const count = (status: ImportResult['status']) => results.filter((result) => result.status === status).length;
  return {
    created: count('created'),
    unchanged: count('unchanged'),
    errors: count('error'),
    format: file.format,
    columns: file.columns.map(({ column, field }) => ({ column, field })),
    notes: file.notes,
    hosts: hostsOfRows(file.rows).slice(0, MAX_HOSTS),
    skipped: file.skipped.map(({ number, reason }) => ({ row: number, reason })),
  };
}

/** The outcome of a piece of a file, without the links of its rows. Rows have their numbers in the file. */
export interface ImportSummary extends ReturnType<typeof overviewOf> {
  readonly refused: readonly { readonly row: number; readonly error: string }[];
  /** The rows that are imported without something that the file has. */
  readonly noted: readonly { readonly row: number; readonly notes: readonly string[] }[];
  /** The rows of whose clicks only the total is kept. */
  readonly only_totals: readonly number[];
  /** The domains that links wait for; without a record where a dry run would add the domain. */
  readonly pending: readonly { readonly host: string; readonly txt: ReturnType<typeof txtRecordOf> | null }[];
}

export function summaryOf(
  file: LinkFile,
  results: readonly ImportResult[],
  pending: readonly WaitedFor[],
): ImportSummary {
  const rows = results.map((result, index) => ({ result, row: file.rows[index]! }));
  return {
    ...overviewOf(file, results),
    refused: rows.flatMap(({ result, row }) =>
      result.status === 'error' ? [{ row: row.number, error: failureBody(result.error).error }] : [],
    ),
    noted: rows.flatMap(({ result, row: { number: row, notes } }) =>
      result.status === 'error' || notes.length === 0 ? [] : [{ row, notes }],
    ),
    only_totals: rows.flatMap(({ result, row: { number, hasOnlyTotal } }) =>
      result.status === 'error' || !hasOnlyTotal ? [] : [number],
    ),
    pending: pending.map(({ host, domain }) => ({ host, txt: domain && txtRecordOf(domain) })),
  };
}
