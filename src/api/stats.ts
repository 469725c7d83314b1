import { Hono, type Context } from 'hono';
import { repeatableNames, withinCampaign } from '../clicks/filter-fields.ts';
import { statsFields, type StatsQuery } from '../clicks/query.ts';
import { getStats, type Stats, type StatsSubject, type TaggedLinks } from '../clicks/stats.ts';
import { AppError } from '../errors.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readQueryAndLists } from '../http/query.ts';
import { foldTag, trimmedName } from '../links/tags/names.ts';
import { parseFields } from '../validation.ts';
import { toCsv } from '../clicks/stats-csv.ts';

/** `/v1/…/stats`: click statistics of a link, a campaign or a whole client, as JSON or CSV. */
export function statsApi(): Hono<HttpEnv> {
  const stats = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });
  stats.get('/v1/stats', refusal, async (c) => c.json(await ask(c, { kind: 'client' })));
  stats.get('/v1/campaigns/:name/stats', refusal, async (c) =>
    c.json(await ask(c, { kind: 'campaign', name: c.req.param('name') })),
  );
  stats.get('/v1/links/:id/stats', refusal, async (c) =>
    c.json(await ask(c, { kind: 'link', name: c.req.param('id') })),
  );
  stats.get('/v1/stats.csv', refusal, async (c) => answerCsv(c, { kind: 'client' }));
  stats.get('/v1/links/:id/stats.csv', refusal, async (c) => answerCsv(c, { kind: 'link', name: c.req.param('id') }));
  return stats;
}

async function answerCsv(c: Context<HttpEnv>, subject: OnePath): Promise<Response> {
  const answer = await ask(c, subject);
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="clicks-by-${answer.by}.csv"`);
  if (answer.filtered_from !== null) c.header('Filtered-From', answer.filtered_from);
  if (answer.compare?.filtered_from) c.header('Compare-Filtered-From', answer.compare.filtered_from);
  return c.body(toCsv(answer));
}

async function ask(c: Context<HttpEnv>, subject: OnePath): Promise<Stats> {
  const verify = readAnyCredential(c);
  const { fields, lists } = readQueryAndLists(c, repeatableNames());
  const { campaign_name: campaign, link: links, tag, ...query } = parseFields(statsFields(), { ...fields, ...lists });
  if (campaign !== undefined && subject.kind !== 'client') {
    throw new AppError('unknown_field', 'campaign_name goes with /v1/stats only. Leave it out.');
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
  return getStats(c.var, await verify(), ...questionOf(named, linksOf(tag, links), query));
}

type OnePath = Exclude<StatsSubject, { readonly kind: 'links' }>;
type SomeLinks = Extract<StatsSubject | TaggedLinks, { readonly kind: 'links' | 'tag' }>;

function linksOf(tag: string | undefined, links: readonly string[] | undefined): SomeLinks | null {
  if (tag !== undefined) return { kind: 'tag', name: foldTag(trimmedName(tag) ?? '') };
  return links === undefined ? null : { kind: 'links', names: [...new Set(links)] };
}

// The clicks of some links for a campaign are those of these links that have the campaign.
function questionOf(
  subject: OnePath,
  links: SomeLinks | null,
  query: StatsQuery,
): [subject: StatsSubject | TaggedLinks, query: StatsQuery] {
  if (links === null) return [subject, query];
  return [links, subject.kind === 'campaign' ? withinCampaign(subject.name, query) : query];
}
