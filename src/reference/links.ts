import type { ErrorCode } from '../errors.ts';
import { linkListQuery } from '../http/queries.ts';
import { editFields } from '../links/input.ts';
import { ACTING, ACTOR_QUERY, PAGE, SOLE_CLIENT } from './acting.ts';
import { CLICKS, DELETED_LINK_ID, LINK_ID, MANAGED_LINK, NOW, RESTORED_LINK } from './examples.ts';
import { linkList, managedLink, managedLinkWithClicks } from './link-schemas.ts';
import type { Endpoint, Parameter } from './operation.ts';
import { input } from './schema.ts';

export const managing = { tag: 'Managing links', takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

export const linkId: Parameter = { description: 'The id of the link', example: LINK_ID };
const deletedId: Parameter = { ...linkId, example: DELETED_LINK_ID };

export const ifMatch = (example?: string): Record<string, Parameter> => ({
  'If-Match': {
    description:
      'The ETag of the link as you know it, in its quotes: if the link has been changed since, nothing is done. `*` is any',
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

export const linkEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'get',
    path: '/v1/links',
    operationId: 'listLinks',
    summary: 'List links, the newest first',
    description:
      'Indexes lead to the links of filters, and fill a page; where several filters have nearly none in common, it looks at ' +
      '10,000 links. For `q` it looks at 500: it may be short, or empty, while `cursor` is not null, and `scanned_to` says ' +
      'how far it has looked. Deleted links are listed with `state=deleted` only.',
    query: { schema: linkListQuery, example: { campaign_name: MANAGED_LINK.campaign_name, limit: 20 } },
    answers: {
      200: {
        description: 'A page of links',
        schema: linkList,
        example: { links: [MANAGED_LINK], cursor: null, scanned_to: null },
      },
    },
    codes: [
      ...SOLE_CLIENT,
      ...PAGE,
      'invalid_custom_domain',
      'invalid_state',
      'invalid_url',
      'too_long',
      'store_unavailable',
    ],
  },
  {
    ...managing,
    method: 'get',
    path: '/v1/links/{id}',
    operationId: 'getLink',
    summary: 'Get a link and its clicks',
    description:
      'The ETag names what can be edited of the link, for If-Match. Clicks do not move it. A deleted link is shown until its ' +
      'content is removed.',
    pathParameters: { id: linkId },
    query: ACTOR_QUERY,
    requestHeaders: {
      'If-None-Match': { description: 'The ETag of the link as you know it: if it is still that, the answer is 304' },
    },
    answers: {
      200: {
        description: 'The link',
        headers: ['ETag'],
        schema: managedLinkWithClicks,
        example: { ...MANAGED_LINK, clicks: CLICKS },
      },
      304: { description: 'The link is as the ETag in `If-None-Match` says', headers: ['ETag'] },
    },
    codes: [...ACTING, 'not_found', 'store_unavailable'],
  },
  {
    ...managing,
    method: 'patch',
    path: '/v1/links/{id}',
    operationId: 'editLink',
    summary: 'Change a link',
    description:
      'What is absent stays, and null clears. A changed slug leaves the old one behind as an alias, of which there may be ' +
      '20; `aliases` says which of them stay.',
    pathParameters: { id: linkId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch('"2"'),
    body: {
      types: ['application/json'],
      schema: input('LinkChange', () => editFields),
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
      'invalid_url',
      'own_host',
      'blocked_host',
      'invalid_slug',
      'invalid_sec_id',
      'invalid_campaign_name',
      'invalid_metadata',
      'invalid_expires_at',
      'invalid_disabled',
      'invalid_aliases',
      'link_deleted',
      'slug_taken',
      'too_many_aliases',
    ],
  },
  {
    ...managing,
    method: 'delete',
    path: '/v1/links/{id}',
    operationId: 'deleteLink',
    summary: 'Delete a link',
    description:
      'Its visitors get 410 from then on. For 30 days it can be restored; then its content is removed, and its addresses ' +
      'stay reserved.',
    pathParameters: { id: linkId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    answers: { 204: { description: 'It is deleted' } },
    codes: EDIT,
  },
  {
    ...managing,
    method: 'post',
    path: '/v1/links/{id}/restore',
    operationId: 'restoreLink',
    summary: 'Bring a deleted link back',
    description: 'Within 30 days of its end. It leads where it led before, at the addresses that it had.',
    pathParameters: { id: deletedId },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    answers: {
      200: { description: 'The link', headers: ['ETag'], schema: managedLink, example: RESTORED_LINK },
    },
    codes: [...EDIT, 'domain_removed'],
  },
];
