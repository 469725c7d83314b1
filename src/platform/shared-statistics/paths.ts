import type { Shared } from '../../links/shares/shares.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { linkPath } from '../links/paths.ts';
import { clientPath } from '../nav.ts';

/** The path of a public statistics page. */
export const sharedPath = (secret: string): string => `/platform/shared/${secret}`;

/** The page of what is shared, and of its sharing. */
export function pathOf(client: OwnClient, shared: Shared): string {
  if (shared.kind === 'client') return clientPath(client);
  return shared.kind === 'link' ? linkPath(client, shared.name) : campaignPath(client, shared.name);
}

export const sharePath = (client: OwnClient, shared: Shared, rest = ''): string =>
  `${pathOf(client, shared)}/share${rest}`;
