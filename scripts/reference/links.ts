import type { ErrorCode } from '../../src/errors.ts';
import { linkListQuery } from '../../src/http/link-queries.ts';
import { editFields } from '../../src/links/input.ts';
import { ACTING, ACTOR_QUERY, PAGE, SOLE_CLIENT } from './acting.ts';
import { CLICKS, COUNTS, DELETED_LINK_ID, LINK_ID, MANAGED_LINK, NOW, RESTORED_LINK } from './examples.ts';
import { clickedLinkList, managedLink, managedLinkWithClicks } from './link-schemas.ts';
import type { Endpoint, Parameter } from './endpoint.ts';
import { input } from './schema.ts';

export const managing = { tag: 'Managing links', takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

export const linkId: Parameter = { description: 'The id of the link', example: LINK_ID };
const deletedId: Parameter = { ...linkId, example: DELETED_LINK_ID };

export const ifMatch = (example?: string): Record<string, Parameter> => ({
  'If-Match': {
    description:
      'The ETag of the link as you last read it, with its quotes. If the link has been changed since, the response is 412. `*` matches any',
    ...(example && { example }),
  },
});

export const EDIT: readonly ErrorCode[] = [
  ...ACTING,
  'not_found',
  'invalid_if_match',
  'precondition_failed',
  'edit_conflict',
  'store_unavailable',
];

/** The reading of a link, by its id or by that of another system. */
export const readingOne = {
  query: ACTOR_QUERY,
  requestHeaders: {
    'If-None-Match': {
      description: 'The ETag of the link as you last read it: if the link is unchanged, the response is 304',
    },
  },
  answers: {
    200: {
      description: 'The link',
      headers: ['ETag'],
      schema: managedLinkWithClicks,
      example: { ...MANAGED_LINK, clicks_left: null, clicks: CLICKS },
    },
    304: { description: 'The link is unchanged', headers: ['ETag'] },
  },
} as const satisfies Partial<Endpoint>;

export const linkEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'get',
    path: '/v1/links',
    operationId: 'listLinks',
    summary: 'List links with their clicks',
    description:
      'Filters use indexes, which fill a page. If several filters have few links in common, a page examines at ' +
      'most 10,000 links, and with `q` at most 500: then it can be short or empty while `cursor` is not null, and ' +
      '`scanned_to` says how far the search has come. Deleted links are listed only with `state=deleted`. In another order ' +
      'than that of creation, a page examines at most 500 links, and links without such clicks come last, newest first.',
    query: { schema: linkListQuery(), example: { campaign_name: MANAGED_LINK.campaign_name, limit: 20 } },
    answers: {
      200: {
        description: 'A page of links',
        schema: clickedLinkList,
        example: {
          links: [
            {
              ...MANAGED_LINK,
              clicks_left: null,
              clicks: COUNTS.total,
              humans: COUNTS.humans,
              last_click_at: CLICKS.last_at,
            },
          ],
          cursor: null,
          scanned_to: null,
        },
      },
    },
    codes: [...SOLE_CLIENT, ...PAGE, 'invalid_custom_domain', 'invalid_url', 'too_long', 'store_unavailable'],
  },
  {
    ...managing,
    method: 'get',
    path: '/v1/links/{id}',
    operationId: 'getLink',
    summary: 'Get a link and its clicks',
    description:
      'The ETag is for If-Match and If-None-Match; clicks do not change it. A deleted link is shown until its content is ' +
      'removed.',
    pathParameters: { id: linkId },
    ...readingOne,
    codes: [...ACTING, 'not_found', 'store_unavailable'],
  },
  {
    ...managing,
    method: 'patch',
    path: '/v1/links/{id}',
    operationId: 'editLink',
    summary: 'Change a link',
    description:
      'Fields that are left out stay as they are, and null clears. If the slug changes, the old one stays as an alias, of ' +
      'which there may be 20; `aliases` lists those to keep.',
    pathParameters: { id: linkId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch('"2"'),
    body: {
      types: ['application/json'],
      schema: input('LinkChange', editFields),
      example: { url: 'https://example.com/summer', expires_at: null },
    },
    answers: {
      200: {
        description: 'The link as it is now',
        headers: ['ETag'],
        schema: managedLink,
        example: { ...MANAGED_LINK, url: 'https://example.com/summer', expires_at: null, updated_at: NOW },
      },
    },
    codes: [
      ...EDIT,
      'too_long',
      'own_host',
      'blocked_host',
      'link_deleted',
      'slug_taken',
      'slug_of_deleted_link',
      'external_id_taken',
      'path_taken',
      'too_many_aliases',
      'too_many_tags',
    ],
  },
  {
    ...managing,
    method: 'delete',
    path: '/v1/links/{id}',
    operationId: 'deleteLink',
    summary: 'Delete a link',
    description:
      'Visitors get 410 from then on. The link can be restored for 30 days; then its content is removed, and its slugs stay ' +
      'reserved.',
    pathParameters: { id: linkId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    answers: { 204: { description: 'The link is deleted' } },
    codes: EDIT,
  },
  {
    ...managing,
    method: 'post',
    path: '/v1/links/{id}/restore',
    operationId: 'restoreLink',
    summary: 'Restore a deleted link',
    description: 'Within 30 days of its deletion. It has the same destination and the same slugs as before.',
    pathParameters: { id: deletedId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    answers: {
      200: { description: 'The link', headers: ['ETag'], schema: managedLink, example: RESTORED_LINK },
    },
    codes: [...EDIT, 'domain_removed'],
  },
];
