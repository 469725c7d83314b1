import type { DomainRecord } from '../../src/api/domain-record.ts';
import { ask } from './domains.ts';
import type { Imported } from './files.ts';
import { bearerOf, type Caller } from './forms.ts';

/** Links of files that wait for their domain. */

interface WaitedFor {
  readonly host: string;
  readonly is_new: boolean;
  readonly domain: DomainRecord | null;
}

/** A file with a link for each slug of a host. */
export function rowsOfFile(host: string, slugs: readonly string[], url = 'https://example.com/'): string {
  return `slug,url,custom_domain\n${slugs.map((slug) => `${slug},${url},${host}\n`).join('')}`;
}

/** Imports a CSV as a person, or with other headers. */
export async function importFor(
  caller: Caller,
  file: string,
  query = '',
  headers: Readonly<Record<string, string>> = bearerOf(caller),
): Promise<Imported> {
  const sent = { method: 'POST', headers: { 'Content-Type': 'text/csv', ...headers }, body: file };
  const response = await ask(`/v1/links/import${query}`, sent);
  if (response.status !== 200) throw new Error(`import answered ${response.status} ${await response.text()}`);
  return response.json();
}

/** The domains that the links of an import wait for. */
export const pendingOf = (imported: Imported): readonly WaitedFor[] =>
  (imported as Imported & { readonly pending_domains: readonly WaitedFor[] }).pending_domains;
