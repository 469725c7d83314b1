import { listOf } from '../file-line.ts';
import { bitly } from './bitly.ts';
import { chhoto } from './chhoto.ts';
import { dub } from './dub.ts';
import { firebase } from './firebase.ts';
import type { Format } from './format.ts';
import { golink } from './golink.ts';
import { kutt } from './kutt.ts';
import { prettyLinks } from './pretty-links.ts';
import { rebrandly } from './rebrandly.ts';
import { shlink } from './shlink.ts';
import { shortIo } from './short-io.ts';
import { sink } from './sink.ts';
import { snapp } from './snapp.ts';
import { tinyCc } from './tiny-cc.ts';
import { tinyurl } from './tinyurl.ts';
import { urlList } from './url-list.ts';
import { yourls } from './yourls.ts';

/** The formats of other services, in the order of their names. */
export const FORMATS: readonly Format[] = [
  bitly,
  chhoto,
  dub,
  firebase,
  golink,
  kutt,
  prettyLinks,
  rebrandly,
  shlink,
  shortIo,
  sink,
  snapp,
  tinyCc,
  tinyurl,
  yourls,
];

/** The services whose files are recognised, for sentences. */
export const SERVICES: string = listOf(FORMATS.map(({ name }) => name));

/** The id of the format of a text with a URL in each line. */
export const LIST: string = urlList.id;

/** The id of the format of this service. */
export const OWN = 'terse';

/** The id of a format whose columns the caller has named. */
export const MAPPED = 'mapped';

/** The values of `from`, each with its name. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  [OWN]: 'Terse',
  ...Object.fromEntries([...FORMATS, urlList].map(({ id, name }) => [id, name])),
};

// Of services whose exports are not recognised, but whose links stand in the files of others.
const OTHER_HOSTS = ['buff.ly', 'cutt.ly', 'goo.gl', 'is.gd', 'lnkd.in', 'ow.ly', 't.co', 't.ly', 'v.gd'];

const SHARED_HOSTS: ReadonlySet<string> = new Set([...FORMATS.flatMap(({ hosts = [] }) => hosts), ...OTHER_HOSTS]);

/** True if a host belongs to a service whose customers share it, so that none of them can verify it. */
export function isSharedHost(host: string): boolean {
  const labels = host.split('.');
  return labels.some((_, index) => SHARED_HOSTS.has(labels.slice(index).join('.')));
}

/** The format with an id; null for that of this service. */
export function formatOfId(id: string): Format | null {
  return id === urlList.id ? urlList : (FORMATS.find((format) => format.id === id) ?? null);
}
