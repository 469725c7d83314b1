import { ACTOR_QUERY, SOLE_CLIENT } from './acting.ts';
import { OF_LINK_VALUES, newLinkItem } from './create.ts';
import { CAMPAIGN, EXTERNAL_ID, MANAGED_LINK, NOW } from './examples.ts';
import { managedLink } from './link-schemas.ts';
import { EDIT, ifMatch, managing, readingOne } from './links.ts';
import type { Endpoint } from './endpoint.ts';

const path = '/v1/links-by-external-id/{external_id}';
const pathParameters = { external_id: { description: 'The external id of the link', example: EXTERNAL_ID } };

export const externalLinkEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'get',
    path,
    operationId: 'getLinkByExternalId',
    summary: 'Get the link with an external id, and its clicks',
    description: 'Like `GET /v1/links/{id}`. An external id `.` or `..` is found by `GET /v1/links` only.',
    pathParameters,
    ...readingOne,
    codes: [...SOLE_CLIENT, 'not_found', 'store_unavailable'],
  },
  {
    ...managing,
    method: 'put',
    path,
    operationId: 'putLinkByExternalId',
    summary: 'Create the link with an external id, or change it',
    description:
      'Takes the fields of a create. If a link has the external id, it becomes what is sent: fields that are left out are ' +
      'cleared, except the slug and `sec_id`, which stay, and the password, which null removes. `disabled` and `aliases` ' +
      'stay too. The same request again changes nothing, and of several requests at once one creates the link.',
    pathParameters,
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    body: {
      types: ['application/json'],
      schema: newLinkItem,
      example: { url: MANAGED_LINK.url, campaign_name: CAMPAIGN },
    },
    answers: {
      200: {
        description: 'The link had the external id, and is changed',
        headers: ['ETag'],
        schema: managedLink,
        example: { ...MANAGED_LINK, tags: [], metadata: null, expires_at: null, updated_at: NOW },
      },
      201: { description: 'The link was created', headers: ['Location', 'ETag'], schema: managedLink },
    },
    codes: [
      ...OF_LINK_VALUES,
      ...SOLE_CLIENT,
      ...EDIT.filter((code) => code !== 'not_found'),
      'unknown_domain',
      'invalid_idempotency_key',
      'slug_taken',
      'slug_of_deleted_link',
      'path_taken',
      'external_id_taken',
      'link_deleted',
      'domain_removed',
      'too_many_aliases',
      'too_many_tags',
      'too_many_requests',
    ],
  },
];
