import { seedDomain } from './seed.ts';
import type { FileOptions, Imported } from './files.ts';
import { importFile, openClient, CSV, NDJSON } from './files.ts';
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

export const typeOf = (name: string): string => TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? CSV;

const TYPES: Readonly<Record<string, string>> = { json: JSON_FILE, ndjson: NDJSON, tsv: 'text/tab-separated-values' };

const [BITLY, DUB, SHLINK, SHORT_IO, SNAPP, TINY_CC, YOURLS, CHHOTO, PRETTY] = [
  { id: 'bitly', name: 'Bitly' },
  { id: 'dub', name: 'Dub' },
  { id: 'shlink', name: 'Shlink' },
  { id: 'short_io', name: 'Short.io' },
  { id: 'snapp', name: 'Snapp' },
  { id: 'tiny_cc', name: 'tiny.cc' },
  { id: 'yourls', name: 'YOURLS' },
  { id: 'chhoto', name: 'Chhoto URL' },
  { id: 'pretty_links', name: 'Pretty Links' },
] as const;

/** The format of each file. */
export const FORMAT_OF: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  'bitly-former.csv': BITLY,
  'bitly.csv': BITLY,
  'chhoto-table.csv': CHHOTO,
  'chhoto.json': CHHOTO,
  'dub-keys.csv': DUB,
  'dub.csv': DUB,
  'dub.json': DUB,
  'firebase.csv': { id: 'firebase', name: 'Firebase Dynamic Links' },
  'golink.ndjson': { id: 'golink', name: 'golink' },
  'kutt.json': { id: 'kutt', name: 'Kutt' },
  'pretty-links-former.csv': PRETTY,
  'pretty-links.csv': PRETTY,
  'rebrandly.csv': { id: 'rebrandly', name: 'Rebrandly' },
  'shlink-former.csv': SHLINK,
  'shlink-import.csv': SHLINK,
  'shlink.csv': SHLINK,
  'shlink.json': SHLINK,
  'short-io.csv': SHORT_IO,
  'short-io.tsv': SHORT_IO,
  'sink.json': { id: 'sink', name: 'Sink' },
  'snapp-former.csv': SNAPP,
  'snapp.csv': SNAPP,
  'tiny-cc-former.csv': TINY_CC,
  'tiny-cc-short.csv': TINY_CC,
  'tiny-cc.csv': TINY_CC,
  'tiny-cc.json': TINY_CC,
  'tinyurl.csv': { id: 'tinyurl', name: 'TinyURL' },
  'urls.txt': { id: 'url_list', name: 'List of URLs' },
  'yourls-phpmyadmin.csv': YOURLS,
  'yourls-plugin.csv': YOURLS,
  'yourls-stats.json': YOURLS,
  'yourls.csv': YOURLS,
};

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
