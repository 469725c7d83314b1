import type { OwnClient } from '../env.ts';
import { clientPath } from '../nav.ts';

export const tagPath = (client: Pick<OwnClient, 'id'>, id: string, rest = ''): string =>
  clientPath(client, `tags/${encodeURIComponent(id)}${rest}`);

/** The path of the list of the links that have a tag. */
export const linksOfTag = (client: Pick<OwnClient, 'id'>, name: string): string =>
  `${clientPath(client, 'links')}?${new URLSearchParams({ tag: name }).toString()}`;
