import * as z from 'zod';
import { statsFields } from '../clicks/query.ts';
import type { ErrorCode } from '../errors.ts';
import { SOLE_CLIENT } from './acting.ts';
import { CAMPAIGN, CLICKED_DAY, COUNTS, LINK_ID, NO_COUNTS, TODAY } from './examples.ts';
import { counts } from './link-schemas.ts';
import type { Endpoint, Query } from './operation.ts';
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

const stats = output('Stats', () =>
  z.strictObject({
    by: z.string().meta({ description: 'The dimension that clicks are broken down by' }),
    from: z.string().meta({ description: 'The first day', format: 'date' }),
    to: z.string().meta({ description: 'The last day, itself included', format: 'date' }),
    tz: z.string().meta({ description: 'The IANA time zone of days and hours' }),
    ...counts(),
    rows: z
      .array(row())
      .meta({ description: 'Every day or hour of the range, in order; else the values, the most clicked first' }),
  }),
);

const example = { from: CLICKED_DAY, to: TODAY };
const query: Query = { schema: statsFields, without: ['campaign_name'], example };
const answer = {
  description: 'The clicks',
  schema: stats,
  example: {
    by: 'day',
    ...example,
    tz: 'UTC',
    ...COUNTS,
    rows: [
      { key: CLICKED_DAY, ...COUNTS },
      { key: TODAY, ...NO_COUNTS },
    ],
  },
};

const QUESTION: readonly ErrorCode[] = ['invalid_from', 'invalid_to', 'invalid_by', 'invalid_tz', 'store_unavailable'];
const OF_A_LINK: readonly ErrorCode[] = [...QUESTION, 'insufficient_scope', 'not_found', 'gone'];
const id = { description: 'The id of the link', example: LINK_ID };

export const statsEndpoints: readonly Endpoint[] = [
  {
    ...common,
    path: '/v1/links/{id}/stats',
    operationId: 'getLinkStats',
    summary: 'Break down the clicks of a link',
    description: 'Up to 400 days, by day, hour, country, referrer, browser, operating system, device or language.',
    pathParameters: { id },
    query,
    answers: { 200: answer },
    codes: OF_A_LINK,
  },
  {
    ...common,
    path: '/v1/links/{id}/stats.csv',
    operationId: 'getLinkStatsCsv',
    summary: 'Break down the clicks of a link, as CSV',
    description: 'The rows of `GET /v1/links/{id}/stats`, with a header.',
    pathParameters: { id },
    query,
    answers: {
      200: {
        description: 'The rows (RFC 4180)',
        headers: ['Content-Disposition'],
        types: ['text/csv'],
        schema: { type: 'string' },
        example: `day,total,humans,bots,previews\r\n${CLICKED_DAY},4,3,1,0\r\n${TODAY},0,0,0,0\r\n`,
      },
    },
    codes: OF_A_LINK,
  },
  {
    ...common,
    path: '/v1/campaigns/{name}/stats',
    operationId: 'getCampaignStats',
    summary: 'Break down the clicks of a campaign',
    description: 'A campaign named `.` or `..` is available only at `/v1/stats`.',
    pathParameters: { name: { description: 'The name of the campaign', example: CAMPAIGN } },
    query,
    answers: { 200: answer },
    codes: [...QUESTION, ...SOLE_CLIENT],
  },
  {
    ...common,
    path: '/v1/stats',
    operationId: 'getClientStats',
    summary: 'Break down the clicks of a whole client',
    description: 'Of all its links, deleted ones included; of one campaign with `campaign_name`.',
    query: { schema: statsFields, example },
    answers: { 200: answer },
    codes: [...QUESTION, ...SOLE_CLIENT],
  },
];
