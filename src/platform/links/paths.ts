import type { OwnClient } from '../env.ts';
import { clientPath } from '../nav.ts';

/** The path of a link's page, or of one below it, such as `edit`. Ids need no escaping. */
export function linkPath(client: Pick<OwnClient, 'id'>, id: string, below = ''): string {
  return clientPath(client, below === '' ? `links/${id}` : `links/${id}/${below}`);
}
