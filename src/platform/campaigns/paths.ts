import type { OwnClient } from '../env.ts';
import { clientPath } from '../nav.ts';

/** The paths of campaigns, whose names are any text. */

// A URL cannot have these as a part of its path, nor in their escaped form.
const DOTS = /^~*\.{1,2}$/;
const ESCAPED_DOTS = /^~+\.{1,2}$/;

/** A name as a part of a path: with `~` before one that browsers would resolve. */
export function campaignPath(client: Pick<OwnClient, 'id'>, name: string, rest = ''): string {
  return clientPath(client, campaignPart(name) + rest);
}

/** `campaignPath` without the path of the client. */
export function campaignPart(name: string): string {
  return `campaigns/${DOTS.test(name) ? `~${name}` : encodeURIComponent(name)}`;
}

/** The name of such a part, decoded. */
export const campaignIn = (part: string): string => (ESCAPED_DOTS.test(part) ? part.slice(1) : part);

/** The path of the list of its links. */
export function linksOfCampaign(client: Pick<OwnClient, 'id'>, name: string): string {
  return `${clientPath(client, 'links')}?${new URLSearchParams({ campaign_name: name }).toString()}`;
}
