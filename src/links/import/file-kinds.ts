export type FileFormat = 'csv' | 'ndjson' | 'json';

/** By media type. Browsers on Windows send a CSV with Excel's type. */
export const FILE_KINDS: Readonly<Record<string, FileFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/tab-separated-values': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/json': 'json',
};

/** The format of a file by its name. */
export function formatOf(name: string): FileFormat {
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  return /\.json$/i.test(name) ? 'json' : 'csv';
}
