import * as z from 'zod';
import { healthQuery } from '../http/queries.ts';
import { OLD_ANSWER_SECONDS } from '../links/old-answers.ts';
import { changelogSchema } from './entries.ts';
import type { Endpoint } from './operation.ts';
import { output } from './schema.ts';

const health = output('Health', () =>
  z.strictObject({
    status: z.literal('ok').meta({ description: 'Always `ok`: what does not work is answered with 503' }),
    checked: z
      .array(z.enum(['d1', 'kv']))
      .meta({ description: 'The stores that were asked, and that have answered: the database and the cache' }),
  }),
);

const OLD_SECONDS = Object.values(OLD_ANSWER_SECONDS).reduce((sum, seconds) => sum + seconds, 0);

export const serviceEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/{slug}',
    operationId: 'followLink',
    tag: 'Redirects',
    summary: 'Follow a short link',
    description:
      "On the service's host and on custom domains. One trailing slash is ignored. On a custom domain a slug may have up " +
      'to 4 segments, and an unknown one may lead to where its owner says; that there is none is remembered for a minute. A GET counts as a click, a HEAD does not. What is edited, deleted, disabled or blocked ' +
      'is seen at once where that was done, and everywhere within `MEMORY_SECONDS` (30 unless the operator says otherwise) ' +
      `and ${OLD_SECONDS} seconds: the cache of KV, its propagation, and the comparison with the database.`,
    takes: ['none'],
    pathParameters: { slug: { description: 'The slug of the link, case-sensitive', example: 'spring-sale' } },
    headers: ['Cache-Control', 'X-Robots-Tag'],
    answers: { 302: { description: 'The way to the target', headers: ['Location'] } },
    codes: ['link_blocked', 'not_found', 'gone', 'store_unavailable'],
    hasPages: true,
  },
  {
    method: 'get',
    path: '/robots.txt',
    operationId: 'getRobots',
    tag: 'Documents',
    summary: 'Get what crawlers may read',
    description: 'Answers on custom domains too.',
    takes: ['none'],
    headers: ['Cache-Control'],
    answers: {
      200: {
        description: 'RFC 9309',
        types: ['text/plain'],
        schema: { type: 'string' },
        example: 'User-agent: *\nDisallow:\n',
      },
    },
    codes: ['not_found', 'store_unavailable'],
    hasPages: true,
  },
  {
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Ask whether the service works',
    description:
      'Touches no store. With `deep=1`, which takes a bearer token, the database and the cache are asked too; one that ' +
      'does not answer within three seconds is out of order, and the sentence of the 503 names it.',
    takes: ['none', 'bearer'],
    query: { schema: healthQuery },
    headers: ['X-Request-Id'],
    answers: { 200: { description: 'It works', schema: health, example: { status: 'ok', checked: [] } } },
    codes: ['invalid_deep', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Documents',
    summary: 'Get this document',
    description: 'The description of this API, as OpenAPI 3.1.',
    takes: ['none'],
    headers: ['X-Request-Id'],
    answers: {
      200: { description: 'OpenAPI 3.1', headers: ['ETag', 'Cache-Control'], schema: { type: 'object' } },
      304: { description: 'It is as the ETag in `If-None-Match` says', headers: ['ETag', 'Cache-Control'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
  {
    method: 'get',
    path: '/changelog',
    operationId: 'getChangelog',
    tag: 'Documents',
    summary: 'Get what has changed in the API',
    description: 'JSON for who asks for it with `Accept: application/json`, else a page.',
    takes: ['none'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'The releases, the newest first',
        headers: ['ETag', 'Cache-Control', 'Vary'],
        schema: output('Changelog', () => changelogSchema),
        isPageToo: true,
      },
      304: { description: 'It is as the ETag in `If-None-Match` says', headers: ['ETag', 'Cache-Control', 'Vary'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
  {
    method: 'get',
    path: '/changelog.rss',
    operationId: 'getChangelogFeed',
    tag: 'Documents',
    summary: 'Get what has changed in the API, as a feed',
    description: 'RSS 2.0, an item for each release.',
    takes: ['none'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'RSS 2.0, an item for each release',
        headers: ['ETag', 'Cache-Control'],
        types: ['application/rss+xml'],
        schema: { type: 'string' },
      },
      304: { description: 'It is as the ETag in `If-None-Match` says', headers: ['ETag', 'Cache-Control'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
];
