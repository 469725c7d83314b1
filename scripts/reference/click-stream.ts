import * as z from 'zod';
import { EVENT_STREAM } from '../../src/http/event-stream.ts';
import { clickStreamQuery } from '../../src/http/queries.ts';
import { KINDS } from '../../src/statistics/facts.ts';
import { MAX_VIEWS } from '../../src/statistics/live/feed.ts';
import { MAX_A_SECOND } from '../../src/statistics/live/view.ts';
import { SOLE_CLIENT } from './acting.ts';
import { LINK_ID } from './examples.ts';
import type { Endpoint } from './endpoint.ts';
import { output, refTo } from './schema.ts';

const word = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}; null if not known` });

const click = output('StreamedClick', () =>
  z.strictObject({
    at: z.string().meta({ description: 'When it happened, or the last of several', format: 'date-time' }),
    link_id: z.string().meta({ description: 'The id of the link' }),
    short_url: z.string().nullable().meta({ description: 'The short link; null if the link is deleted, or not known' }),
    country: word('ISO 3166-1 alpha-2'),
    referrer: word('The host of the page that the visitor came from'),
    device: word('The kind of device'),
    os: word('The operating system'),
    browser: word('The browser'),
    via: word('`qr`, `link`, or the source that the visit names'),
    utm_medium: word('The medium that the visit names'),
    utm_campaign: word('The campaign that the visit names'),
    kind: z.enum(KINDS).meta({ description: 'Whether a person, a program or a link preview followed the link' }),
    clicks: z
      .int()
      .min(1)
      .meta({ description: 'How many clicks they are: those that are alike can come as one event' }),
  }),
);

const more = output('StreamedMore', () =>
  z.strictObject({ count: z.int().min(1).meta({ description: 'How many clicks were left out' }) }),
);

const end = output('StreamedEnd', () =>
  z.strictObject({
    reason: z.string().meta({
      description:
        '`time`: it was open for 15 minutes; `interrupted`: connect again; else the code of the error that the next request would get',
    }),
    detail: z.string().meta({ description: 'The same as a sentence' }),
  }),
);

const EXAMPLE = JSON.stringify({
  at: '2026-11-21T09:59:58.120Z',
  link_id: LINK_ID,
  short_url: 'https://terse.example/spring-sale',
  country: 'AT',
  referrer: 'news.example',
  device: 'mobile',
  os: 'iOS',
  browser: 'Safari',
  via: 'qr',
  utm_medium: null,
  utm_campaign: null,
  kind: 'human',
  clicks: 1,
});

export const clickStreamEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/clicks/stream',
    operationId: 'streamClicks',
    tag: 'Statistics',
    summary: 'Stream clicks as they are counted',
    description:
      'Server-sent events, within eight seconds of a click, of all links or of one. `click` has one click, or several that ' +
      `are alike; at most ${MAX_A_SECOND} of the clicks of a second, and \`more\` has the number of the others. A comment comes every 2 ` +
      'seconds. After 15 minutes `end` comes, and the stream ends: connect again, with `Last-Event-ID`. It also ends within ' +
      `a minute if the credential, the link or the client is no longer valid. A client has up to ${MAX_VIEWS} streams.`,
    takes: ['bearer', 'apiKey'],
    headers: ['X-Request-Id'],
    query: { schema: clickStreamQuery() },
    requestHeaders: {
      'Last-Event-ID': {
        description:
          'The `id` of the last event that you have: the stream begins with what came after it within the last minute. ' +
          'Other texts are ignored',
        example: '1795255198000-1',
      },
    },
    answers: {
      200: {
        description: `The events, such as \`event: click\` with \`data: ${EXAMPLE}\``,
        types: [EVENT_STREAM],
        schema: {
          type: 'string',
          description: 'The data of each event is JSON',
          contentMediaType: 'application/json',
          contentSchema: { anyOf: [refTo(click), refTo(more), refTo(end)] },
        },
      },
    },
    codes: [...SOLE_CLIENT, 'not_found', 'gone', 'too_many_requests', 'store_unavailable'],
  },
];
