import { seedDomain } from './seed.ts';
import type { FileOptions, Imported } from './files.ts';
import { importFile, openClient, CSV } from './files.ts';
import type { Manager } from './manage.ts';

/** Exports of other services, as these write them. `{host}` stands for a part of a domain that no other test has. */

const texts = import.meta.glob('../links/import/fixtures/*', { query: '?raw', import: 'default', eager: true });

export const JSON_FILE = 'application/json';

/** The names of all of these files. */
export const EXPORTS = Object.keys(texts).map((path) => path.slice(path.lastIndexOf('/') + 1));

/** The text of a file. */
export function exportOf(name: string, host: string): string {
  const text = texts[`../links/import/fixtures/${name}`];
  if (typeof text !== 'string') throw new Error(`there is no file ${name}`);
  return text.replaceAll('go.{host}', host);
}

export const typeOf = (name: string): string => (name.endsWith('.json') ? JSON_FILE : CSV);

/** A client with an active domain, and its import of such a file. */
export async function importExport(
  name: string,
  options: FileOptions = {},
): Promise<{ manager: Manager; host: string; imported: Imported }> {
  const manager = await openClient();
  const host = await seedDomain(manager.tenant);
  const imported = await importFile(manager, exportOf(name, host), { type: typeOf(name), ...options });
  return { manager, host, imported };
}
