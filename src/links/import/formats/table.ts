import { bitly } from './bitly.ts';
import { dub } from './dub.ts';
import type { Format } from './format.ts';
import { kutt } from './kutt.ts';
import { rebrandly } from './rebrandly.ts';
import { shlink } from './shlink.ts';
import { shortIo } from './short-io.ts';
import { tinyurl } from './tinyurl.ts';
import { yourls } from './yourls.ts';

/** The formats of other services, in the order in which a file is compared with them. */
export const FORMATS: readonly Format[] = [bitly, dub, kutt, rebrandly, shlink, shortIo, tinyurl, yourls];

/** The id of the format of this service. */
export const OWN = 'terse';

/** The id of a format of which the caller has named the columns. */
export const MAPPED = 'mapped';

/** The values of `from`, each with its name. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  [OWN]: 'Terse',
  ...Object.fromEntries(FORMATS.map(({ id, name }) => [id, name])),
};

// Of services whose exports are not recognised, but whose links stand in the files of others.
const OTHER_HOSTS = ['buff.ly', 'cutt.ly', 'goo.gl', 'is.gd', 'lnkd.in', 'ow.ly', 't.co', 't.ly', 'v.gd'];

const SHARED_HOSTS: ReadonlySet<string> = new Set([...FORMATS.flatMap(({ hosts = [] }) => hosts), ...OTHER_HOSTS]);

/** Whether a host belongs to a service whose customers share it, so that none of them can verify it. */
export function isSharedHost(host: string): boolean {
  const labels = host.split('.');
  return labels.some((_, index) => SHARED_HOSTS.has(labels.slice(index).join('.')));
}

/** The format of a file with these columns, in lower case, or null. */
export function formatWith(columns: ReadonlySet<string>): Format | null {
  return FORMATS.find(({ needs }) => needs.some((list) => list.every((name) => columns.has(name)))) ?? null;
}
