import * as z from 'zod';
import { previewVisit } from '../../src/links/visit/preview-visit.ts';
import { REASONS } from '../../src/links/visit/resolve-visit.ts';
import { conditionTypes } from '../../src/links/routes/conditions/table.ts';
import { ACTING, ACTOR_QUERY } from './acting.ts';
import { ROUTED_LINK_ID } from './examples.ts';
import { linkId, managing } from './links.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const condition = output('ResolvedCondition', () =>
  z.strictObject({
    type: z.enum(Object.keys(conditionTypes)).meta({ description: 'The type of the condition' }),
    holds: z.boolean().meta({ description: 'Whether it holds for the visitor, `not` included' }),
    text: z.string().meta({ description: 'The condition in words' }),
  }),
);

const rule = output('ResolvedRule', () =>
  z.strictObject({
    name: z.string().meta({ description: 'The name of the rule' }),
    holds: z.boolean().meta({ description: 'Whether all of its conditions hold' }),
    conditions: z.array(condition()).meta({ description: 'All of its conditions, in their order' }),
  }),
);

const destination = output('ResolvedDestination', () =>
  z.strictObject({
    by: z
      .enum(['rule', 'variant', 'default'])
      .meta({ description: 'What has chosen it; `default` is the `url` of the link' }),
    name: z.string().meta({ description: 'The name of the rule or variant, or `default`' }),
    url: z.string().meta({ description: 'The destination, without what is forwarded' }),
  }),
);

const fact = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description}; null if it is not known` });

const visitor = output('ResolvedVisitor', () =>
  z.strictObject({
    kind: z.enum(['human', 'bot', 'preview']).meta({ description: 'A person, a program, or one for link previews' }),
    country: fact('The code of the country'),
    region: fact('The code of the region (ISO 3166-2)'),
    continent: fact('The code of the continent'),
    language: fact('The language of the first choice'),
    device: fact('The kind of device'),
    os: fact('The operating system'),
    browser: fact('The browser'),
    referrer: fact('The host of the referrer'),
  }),
);

const resolved = output('ResolvedVisit', () =>
  z.strictObject({
    status: z.int().meta({ description: 'The status that the visitor gets' }),
    location: z.string().nullable().meta({ description: 'Where the response redirects; null if it does not' }),
    reason: z.enum(REASONS).meta({
      description:
        'Why: `redirect` if the link leads to its destination; `domain` if its domain is not verified; `path` if it does ' +
        'not forward this path; `password` and `preview` for those pages; `limit` for programs at a link with ' +
        '`max_clicks`; `blocked` if the operator has blocked the host; else the state of the link',
    }),
    takes_click: z.boolean().meta({
      description:
        'Whether a visit takes one of the `max_clicks`. If all are taken, it gets the response of an expired link instead',
    }),
    destination: destination().meta({
      description: 'The destination that the rules and variants choose, even if something else comes first',
    }),
    rules: z.array(rule()).meta({ description: 'All rules in their order; the first that holds decides' }),
    visitor: visitor().meta({ description: 'What the conditions see of the visitor' }),
  }),
);

const EXAMPLE = { country: 'AT', language: 'de-AT, en;q=0.7', address: '192.0.2.1', query: '?ref=poster' };

export const visitEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'post',
    path: '/v1/links/{id}/resolve',
    operationId: 'resolveVisit',
    summary: 'Try out where a link leads a visitor',
    description:
      'Describe a visitor, and the response is what a GET by that visitor gets, and why. Nothing is counted or changed, so ' +
      'the permission `links:read` is enough. What is left out counts as unknown.',
    pathParameters: { id: { ...linkId, example: ROUTED_LINK_ID } },
    query: ACTOR_QUERY,
    isRead: true,
    body: { types: ['application/json'], schema: input('PreviewVisit', previewVisit), example: EXAMPLE },
    answers: {
      200: {
        description: 'What the visitor gets',
        schema: resolved,
        example: {
          status: 302,
          location: 'https://example.com/de',
          reason: 'redirect',
          takes_click: false,
          destination: { by: 'rule', name: 'German', url: 'https://example.com/de' },
          rules: [
            {
              name: 'German',
              holds: true,
              conditions: [
                { type: 'language', holds: true, text: 'the language is German' },
                { type: 'country', holds: true, text: 'the country is not Switzerland' },
              ],
            },
          ],
          visitor: {
            kind: 'bot',
            country: 'AT',
            region: null,
            continent: 'EU',
            language: 'de-at',
            device: null,
            os: null,
            browser: null,
            referrer: null,
          },
        },
      },
    },
    codes: [...ACTING, 'not_found', 'too_long', 'store_unavailable'],
  },
];
