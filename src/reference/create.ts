import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { clientId, identifier } from '../accounts/names.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { encodeFields, newLinkFields, newLinksOf } from '../links/input.ts';
import { ACTING } from './acting.ts';
import { CLICKS, CLIENT_ID, LINK_ID, NEW_LINK, NEW_RECORD, NOW, RECORD, SEC_ID } from './examples.ts';
import { linkInfo, linkRecord, managedLink } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { input, output, refTo } from './schema.ts';

const tag = 'Links';
const headers = ['X-Request-Id'] as const;

const newLink = input('NewLink', () => newLinkFields);

/** What can be wrong with a target, and with the fields that come with it. */
const LINK_FIELDS: readonly ErrorCode[] = [
  'too_long',
  'invalid_url',
  'own_host',
  'blocked_host',
  'invalid_client_id',
  'invalid_sec_id',
  'invalid_campaign_name',
  'invalid_custom_domain',
  'invalid_metadata',
];

// Published for this answer too.
const error = () => z.string().optional().meta({ description: 'Absent, as nothing has failed' });

const recordResult = () =>
  z.strictObject({
    error: error(),
    result: z.string().meta({
      description: 'The record, as JSON text',
      contentMediaType: 'application/json',
      contentSchema: refTo(linkRecord),
    }),
  });
const infoResult = () =>
  z.strictObject({
    error: error(),
    result: z.string().meta({
      description: 'The record and its clicks, as JSON text',
      contentMediaType: 'application/json',
      contentSchema: refTo(linkInfo),
    }),
  });

const created = {
  description: 'The link is made',
  schema: output('LinkResult', recordResult),
  example: { result: JSON.stringify(NEW_RECORD) },
};

const NEW_MANAGED_LINK = {
  ...NEW_RECORD,
  slug: NEW_RECORD.id,
  aliases: [],
  expires_at: null,
  disabled: false,
  state: 'active',
  updated_at: NOW,
};

export const createEndpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/v1/links',
    operationId: 'createLink',
    tag,
    summary: 'Make a short link',
    description:
      'Takes a form or JSON. Use any of the optional fields to improve analytics and tracking. An empty field counts as ' +
      'absent, and so does null in JSON. A link without a `slug` gets its id for one.',
    takes: ['apiKey', 'bearer'],
    requestHeaders: {
      'Idempotency-Key': {
        description:
          'Names this request, so that it can be sent again: within 24 hours the same content is given the first answer, ' +
          'and other content is refused',
        schema: idempotencyKey,
        example: 'order-1138',
      },
    },
    body: { types: ['multipart/form-data', 'application/json'], schema: newLink, example: NEW_LINK },
    headers,
    answers: { 200: created },
    codes: [
      ...LINK_FIELDS,
      ...ACTING,
      'invalid_slug',
      'invalid_expires_at',
      'unknown_domain',
      'invalid_idempotency_key',
      'slug_taken',
      'idempotency_key_reused',
      'too_many_requests',
      'store_unavailable',
    ],
  },
  {
    method: 'post',
    path: '/v1/links/batch',
    operationId: 'createLinks',
    tag,
    summary: 'Make up to 100 short links',
    description:
      'Each link is judged by itself: `results` says in the same order which were made, and what was wrong with the others.',
    takes: ['apiKey', 'bearer'],
    body: {
      types: ['application/json'],
      schema: input('NewLinks', () => newLinksOf(newLink())),
      example: { links: [NEW_LINK, { url: 'ftp://example.com/page', client_id: CLIENT_ID }] },
    },
    headers,
    answers: {
      200: {
        description: 'What became of each link',
        schema: output('BatchResults', () =>
          z.strictObject({
            results: z.array(
              z.union([
                z.strictObject({ status: z.literal(201), link: managedLink() }),
                z.strictObject({
                  status: z.int().meta({ description: 'The status that the failure has by itself' }),
                  error: z.string().meta({ description: '`<code>: <sentence>`' }),
                }),
              ]),
            ),
          }),
        ),
        example: {
          results: [
            { status: 201, link: NEW_MANAGED_LINK },
            {
              status: 400,
              error: 'invalid_url: url must be an absolute http or https URL, such as https://example.com/page.',
            },
          ],
        },
      },
    },
    codes: ['invalid_links', 'insufficient_scope', 'too_many_requests', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/shortener/encode',
    operationId: 'encodeUrl',
    tag,
    summary: 'Make a short link, as it was done before POST /v1/links',
    description:
      'Deprecated: send the same form to `POST /v1/links`, with an API key from the platform or the api_token of ' +
      '`GET /tokens/create_token` in `X-API-Key`. From a cut-off on, tokens issued since are refused.',
    deprecated: true,
    takes: ['bearer'],
    body: { types: ['multipart/form-data'], schema: input('EncodeForm', () => encodeFields), example: NEW_LINK },
    headers: [...headers, 'Deprecation', 'Sunset', 'Link'],
    answers: { 200: created },
    codes: [
      ...LINK_FIELDS,
      'unknown_domain',
      'wrong_client',
      'encode_retired',
      'too_many_requests',
      'store_unavailable',
    ],
  },
  {
    method: 'get',
    path: '/info/{id}/{client_id}/{sec_id}',
    operationId: 'getLinkInfo',
    tag,
    summary: 'Ask about a link and its clicks',
    description:
      'All three ids must match one link of a client of yours. Whatever does not is the same failure, with status 400.',
    takes: ['bearer'],
    pathParameters: {
      id: { description: 'The id of the link', example: LINK_ID },
      client_id: { description: 'Client id of the service customer', schema: clientId, example: CLIENT_ID },
      sec_id: { description: 'Secondary id', schema: identifier, example: SEC_ID },
    },
    headers,
    answers: {
      200: {
        description: 'The record and its clicks',
        schema: output('LinkInfoResult', infoResult),
        example: { result: JSON.stringify({ ...RECORD, clicks: CLICKS }) },
      },
    },
    codes: ['not_found', 'store_unavailable'],
    statusOf: { not_found: 400 },
  },
];
