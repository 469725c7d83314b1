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

/** The format of a file with these columns, in lower case, or null. */
export function formatWith(columns: ReadonlySet<string>): Format | null {
  return FORMATS.find(({ needs }) => needs.some((list) => list.every((name) => columns.has(name)))) ?? null;
}
