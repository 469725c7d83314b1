import * as z from 'zod';
import { healthQuery } from '../../src/http/health-query.ts';
import { STALENESS_SECONDS } from '../../src/links/redirect/staleness.ts';
import { changelogSchema, changeSchema, entrySchema, releaseSchema } from '../../src/changelog/entries.ts';
import type { Endpoint } from './endpoint.ts';
import { output } from './schema.ts';

const health = output('Health', () =>
  z.strictObject({
    status: z.literal('ok').meta({ description: 'Always `ok`; if something does not work, the status is 503' }),
    checked: z
      .array(z.enum(['d1', 'kv']))
      .meta({ description: 'The stores that were checked: the database and the cache' }),
  }),
);

const changelogParts = [
  output('ChangelogChange', changeSchema),
  output('ChangelogEntry', entrySchema),
  output('ChangelogRelease', releaseSchema),
];
const changelog = output('Changelog', () => {
  // Each part is named before the whole is described.
  for (const part of changelogParts) part();
  return changelogSchema();
});

const OLD_SECONDS = Object.values(STALENESS_SECONDS).reduce((sum, seconds) => sum + seconds, 0);

export const serviceEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/{slug}+',
    operationId: 'inspectLink',
    tag: 'Redirects',
    summary: 'See where a short link leads, without following it',
    description:
      'A page with the `url` and the day of the creation; nothing is counted. 404 if `inspectable` is false, if the link has ' +
      'a password or a click limit, before `starts_at`, and after its end.',
    takes: ['none'],
    pathParameters: { slug: { description: 'The slug of the link, before the `+`', example: 'spring-sale' } },
    headers: ['Cache-Control', 'X-Robots-Tag'],
    answers: { 200: { description: 'The page', types: ['text/html'], schema: { type: 'string' } } },
    codes: ['not_found', 'store_unavailable'],
    hasPages: true,
  },
  {
    method: 'get',
    path: '/{slug}',
    operationId: 'followLink',
    tag: 'Redirects',
    summary: 'Follow a short link',
    description:
      "On the service's host and on custom domains, in any case unless the domain is `case_sensitive`. Trailing slashes and " +
      'what text programs add to a URL are ignored if no link has exactly this slug. On a custom domain a slug can have up ' +
      'to 4 segments, and unknown slugs can redirect to a URL that the owner has set; an unknown slug is remembered for a ' +
      'minute. What comes first decides: deleted or disabled, `starts_at`, `expires_at`, the password, `max_clicks`, ' +
      '`preview`, the rules, the variants, `url`. The status is `redirect_status`. A page is the response of a link with a ' +
      'password, of one with a `preview` to programs that show link previews, and of one with `max_clicks` to all programs. A ' +
      'GET counts as a click, a HEAD does not. A change of a link takes effect at once in the server process ' +
      'that wrote it, and everywhere within `MEMORY_SECONDS` (30 unless the operator has set another value) and ' +
      `${OLD_SECONDS} seconds: the cache of KV, its propagation, and the comparison with the database. While a replica of ` +
      `the database is more than ${OLD_SECONDS} seconds behind, redirects that come from it are old for \`MEMORY_SECONDS\` longer.\n\n` +
      'A link with a password responds with a form until the visitor has sent the password, as `password` in a POST of the ' +
      'type `application/x-www-form-urlencoded` to the same URL: then with 303 and a cookie, by which the visitor is redirected ' +
      'for 12 hours. A wrong password is a 403 `invalid_password`, too many attempts are a 429, and a POST to any other link is a 405. By plain http the response is a 308 to https. A link with a click limit redirects people only. `/{slug}+` ' +
      'shows where a link leads.',
    takes: ['none'],
    pathParameters: {
      slug: {
        description: 'The slug of the link, in any case unless its domain is case-sensitive',
        example: 'spring-sale',
      },
    },
    headers: ['Cache-Control', 'X-Robots-Tag'],
    answers: { 302: { description: 'The redirect to the destination', headers: ['Location'] } },
    codes: ['link_blocked', 'not_found', 'gone', 'store_unavailable'],
    hasPages: true,
    others: 'A redirect with the `redirect_status` of the link, a page (200), or any other error',
  },
  {
    method: 'get',
    path: '/robots.txt',
    operationId: 'getRobots',
    tag: 'Documents',
    summary: 'Get the rules for crawlers',
    description: 'Available on custom domains too.',
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
    summary: 'Check that the service works',
    description:
      'Without `deep=1` it is always 200 and checks no store: it shows that the Worker responds. With `deep=1`, which needs a ' +
      'bearer token, an API key or a token of the operator’s tools, it checks the database and the cache, and is a 503 with ' +
      '`Retry-After` where the service cannot do all that it should. The code says why: `restoring` (only links that are in ' +
      'memory or in KV redirect), `full` or `read_only` (nothing can be saved; links redirect, and what is saved can be ' +
      'read), or `store_unavailable` with the names of the stores that do not respond within three seconds. Whether the ' +
      'database takes writes is checked at most every ten seconds in each isolate.',
    takes: ['none', 'bearer', 'apiKey'],
    query: { schema: healthQuery() },
    headers: ['X-Request-Id'],
    answers: { 200: { description: 'It works', schema: health, example: { status: 'ok', checked: [] } } },
    codes: ['store_unavailable', 'restoring', 'read_only', 'full'],
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
      304: { description: 'Not modified: the ETag in `If-None-Match` is current', headers: ['ETag', 'Cache-Control'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
  {
    method: 'get',
    path: '/changelog',
    operationId: 'getChangelog',
    tag: 'Documents',
    summary: 'Get the changelog',
    description: 'JSON with `Accept: application/json`, else a page.',
    takes: ['none'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'The releases, newest first',
        headers: ['ETag', 'Cache-Control', 'Vary'],
        schema: changelog,
        isPageToo: true,
      },
      304: {
        description: 'Not modified: the ETag in `If-None-Match` is current',
        headers: ['ETag', 'Cache-Control', 'Vary'],
      },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
  {
    method: 'get',
    path: '/changelog.rss',
    operationId: 'getChangelogFeed',
    tag: 'Documents',
    summary: 'Get the changelog as a feed',
    description: 'RSS 2.0, with one item per release.',
    takes: ['none'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'RSS 2.0, with one item per release',
        headers: ['ETag', 'Cache-Control'],
        types: ['application/rss+xml'],
        schema: { type: 'string' },
      },
      304: { description: 'Not modified: the ETag in `If-None-Match` is current', headers: ['ETag', 'Cache-Control'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
];
