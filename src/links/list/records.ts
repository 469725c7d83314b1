import { toInstant } from '../../time/instant.ts';
import type { Tag } from '../tags/tags.ts';
import type { Campaign } from './campaigns.ts';

/** Campaigns and tags as answers have them. */

export function toCampaignRecord({ name, links, newestAt, clicks, humans, lastClickAt }: Campaign) {
  return {
    name,
    links,
    newest_link_at: toInstant(newestAt),
    clicks,
    humans,
    last_click_at: toInstant(lastClickAt),
  };
}

export function toTagRecord({ id, name, colour, createdAt, links }: Tag) {
  return { id, name, colour, links, created_at: toInstant(createdAt) };
}
