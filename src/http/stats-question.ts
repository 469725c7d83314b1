import { withinCampaign } from '../clicks/filter-fields.ts';
import { statsFields, type StatsQuery } from '../clicks/query.ts';
import type { StatsSubject, TaggedLinks } from '../clicks/stats.ts';
import { AppError } from '../errors.ts';
import { foldTag, trimmedName } from '../links/tags/names.ts';
import { parseFields, type Fields } from '../input/validation.ts';

/** The subject of the statistics of one path. */
export type OnePath = Exclude<StatsSubject, { readonly kind: 'links' }>;
type SomeLinks = Extract<StatsSubject | TaggedLinks, { readonly kind: 'links' | 'tag' }>;

/** A question about clicks, as `getStats` takes it. */
type StatsQuestion = readonly [subject: StatsSubject | TaggedLinks, query: StatsQuery];

/** Reads a question about clicks. Throws the first fault of its fields. */
export function parseStatsQuestion(subject: OnePath, fields: Fields): StatsQuestion {
  const { campaign_name: campaign, link: links, tag, ...query } = parseFields(statsFields(), fields);
  if (campaign !== undefined && subject.kind !== 'client') {
    throw new AppError('unknown_field', 'campaign_name goes with the statistics of a client only. Leave it out.');
  }
  if (links !== undefined && subject.kind === 'link') {
    throw new AppError('unknown_field', 'link goes with the statistics of a client or a campaign. Leave it out.');
  }
  if (tag !== undefined && subject.kind === 'link') {
    throw new AppError('unknown_field', 'tag goes with the statistics of a client or a campaign. Leave it out.');
  }
  if (tag !== undefined && links !== undefined) {
    throw new AppError('invalid_tag', 'tag and link cannot be given together. Leave one of them out.');
  }
  const named = campaign === undefined ? subject : ({ kind: 'campaign', name: campaign } as const);
  return questionOf(named, linksOf(tag, links), query);
}

function linksOf(tag: string | undefined, links: readonly string[] | undefined): SomeLinks | null {
  if (tag !== undefined) return { kind: 'tag', name: foldTag(trimmedName(tag) ?? '') };
  return links === undefined ? null : { kind: 'links', names: [...new Set(links)] };
}

// The clicks of some links for a campaign are those of these links that have the campaign.
function questionOf(subject: OnePath, links: SomeLinks | null, query: StatsQuery): StatsQuestion {
  if (links === null) return [subject, query];
  return [links, subject.kind === 'campaign' ? withinCampaign(subject.name, query) : query];
}
