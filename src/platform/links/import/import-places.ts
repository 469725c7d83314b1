import type { Context } from 'hono';
import { listDomains } from '../../../domains/domains.ts';
import { isOwnHost, SHARED } from '../../../links/import/formats/hosts.ts';
import { isSharedHost } from '../../../links/import/formats/table.ts';
import { parseLinkFile, type LinkFile } from '../../../links/import/import-file.ts';
import { hostsOfRows } from '../../../links/import/import-row.ts';
import { parseDomainName } from '../../../network/hosts.ts';
import type { PlatformEnv } from '../../env.ts';
import { placeIn, readChecked, withPlaces, type Carried } from './import-form.ts';
import { throwOfFile } from './import-run.ts';

/** A host of a file on which its links cannot stay. */
export interface Placed {
  readonly host: string;
  /** All customers of a service share it, only owners can add it, or it is no public domain. */
  readonly reason: 'shared' | 'owners' | 'invalid';
}

/** A file that is checked, and the hosts in it on which links cannot stay. */
interface PlacedFile {
  /** The choices for it, as a query. */
  readonly checked: string;
  readonly placed: readonly Placed[];
  /** The file as it was read with this query; absent if it is to be read again. */
  readonly file?: LinkFile;
}

/**
 * The choices for a file that is checked, as a query: links that cannot stay on their host go to the service's own host,
 * with the same slugs, unless `fields` say another one. Without it their rows would be errors.
 */
export async function placeForeign(
  c: Context<PlatformEnv>,
  { bytes, kind }: Pick<Carried, 'bytes' | 'kind'>,
  checked: string,
  fields: Readonly<Record<string, string>>,
): Promise<PlacedFile> {
  const { db, actor, site, client } = c.var;
  const file = await parseLinkFile([bytes], kind, site, readChecked(checked)).catch(throwOfFile);
  const hosts = hostsOfRows(file.rows).filter(({ host }) => !isOwnHost(host, site));
  if (hosts.length === 0) return { checked, placed: [], file };
  const { domains } = await listDomains(db, actor);
  const placed = hosts.flatMap(({ host }): Placed[] => {
    if (domains.some((domain) => domain.host === host)) return [];
    if (isSharedHost(host)) return [{ host, reason: 'shared' }];
    if (parseDomainName(host) === null) return [{ host, reason: 'invalid' }];
    return client.role === 'owner' ? [] : [{ host, reason: 'owners' }];
  });
  const unsaid = placed.flatMap(({ host }) => (placeIn(fields, host) ? [] : [host]));
  if (unsaid.length === 0) return { checked, placed, file };
  return { checked: withPlaces(checked, unsaid, SHARED), placed };
}
