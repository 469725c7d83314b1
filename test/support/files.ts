import type { ManagedRecord } from '../../src/api/record.ts';
import { openManager, type Manager } from './manage.ts';
import { seedTenant } from './seed.ts';
import { call } from './service.ts';

/** Exports and imports, from a caller's side. */

interface Outcome {
  readonly row: number;
  readonly status: string;
  readonly link?: ManagedRecord;
  readonly notes?: readonly string[];
  readonly error?: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

/** The part of a response about a file in the format of this service. */
export const ownFile = (...columns: readonly string[]) => ({
  format: { id: 'terse', name: 'Terse', by: 'recognised' },
  columns: columns.map((column) => ({ column, field: column })),
  notes: [],
  hosts: [],
  pending_domains: [],
  skipped: [],
});

export interface Imported {
  readonly dry_run: boolean;
  readonly created: number;
  readonly unchanged: number;
  readonly errors: number;
  readonly format: { readonly id: string; readonly name: string; readonly by: string };
  readonly columns: readonly { readonly column: string; readonly field: string | null }[];
  readonly notes: readonly string[];
  readonly hosts: readonly { readonly host: string; readonly rows: number }[];
  readonly skipped: readonly { readonly row: number; readonly reason: string }[];
  readonly results: readonly Outcome[];
}

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';

export const openClient = async (): Promise<Manager> => openManager(await seedTenant());

/** A slug that no other test uses. */
export const newSlug = (): string => `s-${crypto.randomUUID().slice(0, 13)}`;

export interface FileOptions {
  readonly type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a file, by default as CSV. */
export function sendFile(
  { key }: Manager,
  body: string | Uint8Array | ReadableStream,
  { type = CSV, query = '', headers = key }: FileOptions = {},
): Promise<Response> {
  return call(`/v1/links/import${query}`, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body });
}

/** Imports a file, and expects that it is accepted. */
export async function importFile(manager: Manager, text: string, options?: FileOptions): Promise<Imported> {
  const response = await sendFile(manager, text, options);
  const body = await response.json<Imported>();
  if (response.status !== 200) throw new Error(`import answered ${response.status} ${JSON.stringify(body)}`);
  return body;
}

export async function exportFile({ key }: Manager, format: 'csv' | 'ndjson'): Promise<string> {
  const response = await call(`/v1/links/export?format=${format}`, { headers: key });
  if (response.status !== 200) throw new Error(`export answered ${response.status}`);
  return response.text();
}

/** The outcome of each row: its status, or the code of its error. */
export const outcomesOf = ({ results }: Imported): string[] =>
  results.map(({ status, error }) => error?.split(':', 1)[0] ?? status);
