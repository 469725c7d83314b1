import type { Shared } from '../../links/shares/shares.ts';
import { campaignPath } from '../campaigns/paths.ts';
import type { OwnClient } from '../env.ts';
import { linkPath } from '../links/paths.ts';

/** The path of a public statistics page. */
export const sharedPath = (secret: string): string => `/platform/shared/${secret}`;

/** The page of what is shared, and of its sharing. */
export function pathOf(client: OwnClient, { kind, name }: Shared): string {
  return kind === 'link' ? linkPath(client, name) : campaignPath(client, name);
}

export const sharePath = (client: OwnClient, shared: Shared, rest = ''): string =>
  `${pathOf(client, shared)}/share${rest}`;
