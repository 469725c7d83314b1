import { foldCase } from '../text/look-alikes.ts';

/** The links whose events a webhook is sent; null for all. */
interface LinkFilter {
  readonly tagId: string | null;
  readonly campaign: string | null;
}

/** The facts of an event about its link; null if it is about none. */
interface EventLink {
  /** A JSON list of the ids of its tags. */
  readonly linkTags: string | null;
  readonly linkCampaign: string | null;
}

/** True if an event about a link fits the filter of a webhook. The names of campaigns are compared without case. */
export function matchesFilter({ tagId, campaign }: LinkFilter, { linkTags, linkCampaign }: EventLink): boolean {
  if (tagId !== null && !(JSON.parse(linkTags ?? '[]') as readonly string[]).includes(tagId)) return false;
  return campaign === null || (linkCampaign !== null && foldCase(linkCampaign) === foldCase(campaign));
}
