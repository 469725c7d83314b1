import * as z from 'zod';
import { statsFields } from '../../src/clicks/query.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { PAGE, SOLE_CLIENT } from './acting.ts';
import { CAMPAIGN, CLICKED_DAY, COUNTS, LINK_ID, NO_COUNTS, TODAY } from './examples.ts';
import { counts, cursor } from './link-schemas.ts';
import type { Endpoint, Query } from './endpoint.ts';
import { output } from './schema.ts';

const common = {
  method: 'get',
  tag: 'Statistics',
  takes: ['bearer', 'apiKey'],
  headers: ['X-Request-Id'],
} as const;

const row = output('StatsRow', () =>
  z.strictObject({
    key: z.string().nullable().meta({ description: 'A day, an hour or a value; null if it is not known' }),
    ...counts(),
  }),
);

const visitors = output('Visitors', () =>
  z.strictObject({
    total: z
      .int()
      .min(0)
      .meta({
        description:
          'People a UTC day and link, summed: a person who comes back on another day, or follows another link, counts again. People ' +
          'who ask not to be tracked are left out',
      }),
    from: z.string().meta({ description: 'The first UTC day that is counted', format: 'date' }),
    to: z.string().meta({ description: 'The last UTC day that is counted', format: 'date' }),
  }),
);

const part = () => ({
  from: z.string().meta({ description: 'The first day', format: 'date' }),
  to: z.string().meta({ description: 'The last day, itself included', format: 'date' }),
  filtered_from: z
    .string()
    .nullable()
    .meta({
      description:
        'The first day that is counted, if the days before can no longer be filtered or broken down like this; ' +
        'null if all days are counted',
      format: 'date',
    }),
  ...counts(),
  visitors: visitors().nullable().meta({
    description:
      'People a day, summed; null for campaigns, tags and several links, with a filter, and for days that are not known',
  }),
});

const compared = output('ComparedStats', () =>
  z.strictObject({
    ...part(),
    rows: z.array(row()).meta({
      description:
        'Every day, hour or weekday of the range, in order, and on a page those at the places of the rows above, counted ' +
        'from the end; else the values of the rows above, in their order',
    }),
  }),
);

export const stats = output('Stats', () =>
  z.strictObject({
    by: z.string().meta({ description: 'The dimension that clicks are broken down by' }),
    tz: z.string().meta({ description: 'The IANA time zone of days, hours and weekdays' }),
    ...part(),
    rows: z.array(row()).meta({
      description: 'Every day, hour or weekday of the range, in order; else the values, the most clicked first',
    }),
    compare: compared().nullable().meta({ description: 'The range that `compare` names; null without it' }),
    cursor: cursor(),
  }),
);

const example = { from: CLICKED_DAY, to: TODAY };
const queryOf = (...without: string[]): Query => ({ schema: statsFields(), without, example });
const response = {
  description: 'The clicks',
  schema: stats,
  example: {
    by: 'day',
    tz: 'UTC',
    ...example,
    filtered_from: null,
    ...COUNTS,
    visitors: { total: 0, from: TODAY, to: TODAY },
    rows: [
      { key: CLICKED_DAY, ...COUNTS },
      { key: TODAY, ...NO_COUNTS },
    ],
    compare: null,
    cursor: null,
  },
};

const csv = {
  description: 'The rows (RFC 4180)',
  headers: ['Content-Disposition', 'Filtered-From', 'Compare-Filtered-From'],
  types: ['text/csv'],
  schema: { type: 'string' },
  example: `"day","total","humans","bots","previews"\r\n"${CLICKED_DAY}",4,3,1,0\r\n"${TODAY}",0,0,0,0\r\n`,
} as const;

const QUESTION: readonly ErrorCode[] = ['invalid_tz', ...PAGE, 'too_many_requests', 'store_unavailable'];
const OF_LINKS: readonly ErrorCode[] = [...QUESTION, 'invalid_tag', 'too_many_links', ...SOLE_CLIENT];
const OF_A_LINK: readonly ErrorCode[] = [...QUESTION, 'insufficient_scope', 'not_found', 'gone'];
const FILTERED =
  'Filters combine: a click fits if it has one of the values of each. If some days can no longer be filtered, the response ' +
  'begins after them, at `filtered_from`.';
const id = { description: 'The id of the link', example: LINK_ID };

export const statsEndpoints: readonly Endpoint[] = [
  {
    ...common,
    path: '/v1/links/{id}/stats',
    operationId: 'getLinkStats',
    summary: 'Break down the clicks of a link',
    description: `Up to 400 days. ${FILTERED}`,
    pathParameters: { id },
    query: queryOf('campaign_name', 'link', 'tag'),
    answers: { 200: response },
    codes: OF_A_LINK,
  },
  {
    ...common,
    path: '/v1/links/{id}/stats.csv',
    operationId: 'getLinkStatsCsv',
    summary: 'Break down the clicks of a link, as CSV',
    description:
      'The rows of `GET /v1/links/{id}/stats` for the same query, with a header. With `compare`, each row has also the ' +
      'columns `compared_…`. The next page begins after the `cursor` of the JSON.',
    pathParameters: { id },
    query: queryOf('campaign_name', 'link', 'tag'),
    answers: { 200: csv },
    codes: OF_A_LINK,
  },
  {
    ...common,
    path: '/v1/campaigns/{name}/stats',
    operationId: 'getCampaignStats',
    summary: 'Break down the clicks of a campaign',
    description: `Of the clicks that came while their link had the campaign. A campaign named \`.\` or \`..\` is available only at \`/v1/stats\`. ${FILTERED}`,
    pathParameters: { name: { description: 'The name of the campaign', example: CAMPAIGN } },
    query: queryOf('campaign_name'),
    answers: { 200: { ...response, example: { ...response.example, visitors: null } } },
    codes: OF_LINKS,
  },
  {
    ...common,
    path: '/v1/stats',
    operationId: 'getClientStats',
    summary: 'Break down the clicks of a whole client',
    description: `Of all its links, deleted ones included; of one campaign with \`campaign_name\`; of some links with \`link\`; of those that have a tag now with \`tag\`, at most 1,000. ${FILTERED}`,
    query: queryOf(),
    answers: { 200: response },
    codes: OF_LINKS,
  },
  {
    ...common,
    path: '/v1/stats.csv',
    operationId: 'getClientStatsCsv',
    summary: 'Break down the clicks of a whole client, as CSV',
    description: 'The rows of `GET /v1/stats` for the same query, with a header, as in `GET /v1/links/{id}/stats.csv`.',
    query: queryOf(),
    answers: { 200: csv },
    codes: OF_LINKS,
  },
];
