import * as z from 'zod';
import type { ErrorCode } from '../../src/errors.ts';
import { idempotencyKey } from '../../src/http/idempotency.ts';
import { LINK_TYPE } from '../../src/http/representation.ts';
import { encodeFields, itemFields, newLinkFields, newLinkJsonFields, newLinksOf } from '../../src/links/input.ts';
import { ACTING } from './acting.ts';
import { CLIENT_ID, NEW_LINK, NEW_RECORD, NEW_STATE } from './examples.ts';
import { linkRecord, managedLink, noError, whole } from './link-schemas.ts';
import { faultsOfOne } from './field-fault.ts';
import { FORM_TYPES, type Endpoint, type Parameter } from './endpoint.ts';
import { input, output, refTo } from './schema.ts';

const tag = 'Links';
const headers = ['X-Request-Id'] as const;

const newLink = input('NewLink', newLinkFields);
// In JSON optional fields may also be null; nulls are removed before the fields are parsed.
const newLinkJson = input('NewLinkJson', () => withNulls(newLinkJsonFields()));
export const newLinkItem = input('NewLinkItem', () => withNulls(itemFields()));

const withNulls = (fields: z.ZodObject<Readonly<Record<string, z.ZodType>>>) =>
  fields.extend(
    Object.fromEntries(
      Object.entries(fields.shape)
        .filter(([, field]) => field.safeParse(undefined).success && !field.safeParse(null).success)
        .map(([name, field]) => [name, field.nullable()]),
    ),
  );

/** The errors of a target and of the fields of the published form. */
/** The codes of a link's values, besides those of its fields. */
export const OF_LINK_VALUES: readonly ErrorCode[] = ['too_long', 'own_host', 'blocked_host'];

const REPEATABLE: Readonly<Record<string, Parameter>> = {
  'Idempotency-Key': {
    description:
      'Names this request, so that it can be repeated safely: within 24 hours the same content gets the first response ' +
      'again, and other content is refused',
    schema: idempotencyKey(),
    example: 'order-1138',
  },
};

const recordResult = () =>
  z.strictObject({
    error: noError(),
    result: z.string().meta({
      description: 'The record, as JSON text',
      contentMediaType: 'application/json',
      contentSchema: refTo(linkRecord),
    }),
  });

const batchCreated = output('BatchCreated', () =>
  z.strictObject({
    outcome: z.literal('created').meta({ description: 'The link was created' }),
    status: z.literal(201).meta({ description: 'The status of a created link' }),
    link: managedLink().meta({ description: 'The link' }),
  }),
);

const batchRefused = output('BatchRefused', () =>
  z.strictObject({
    outcome: z.literal('error').meta({ description: 'The link was not created' }),
    status: whole('The status that the error has for a single link'),
    error: z.string().meta({ description: '`<code>: <sentence>`' }),
    errors: faultsOfOne(),
  }),
);

const created = {
  description: 'The link was created',
  schema: output('LinkResult', recordResult),
  example: { result: JSON.stringify(NEW_RECORD) },
};

const createdLink = output('CreatedLink', () =>
  managedLink().extend({
    reused: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the link existed already; in responses to requests with `reuse`' }),
  }),
);

const NEW_MANAGED_LINK = {
  ...NEW_RECORD,
  slug: NEW_RECORD.id,
  ...NEW_STATE,
};

export const createEndpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/v1/links',
    operationId: 'createLink',
    tag,
    summary: 'Create a short link',
    description:
      'Accepts a form of either type, or JSON. Use any of the optional fields to improve analytics and tracking. An empty ' +
      'field counts as absent, and so does null in JSON. A link without a `slug` gets a generated one. JSON can leave out ' +
      '`client_id` if the credential has only one client, and can have metadata as a JSON value; with ' +
      `\`Accept: ${LINK_TYPE}\` the response to JSON is 201 with the managed link. With \`reuse\`, an active link of the client ` +
      'that has the same destination and fields is answered with (200), if there is one.',
    takes: ['apiKey', 'bearer'],
    requestHeaders: REPEATABLE,
    body: { types: ['application/json', ...FORM_TYPES], schema: newLink, json: newLinkJson, example: NEW_LINK },
    headers,
    answers: {
      200: {
        ...created,
        description: `The link was created, or an equal one exists. With \`Accept: ${LINK_TYPE}\`, an equal one exists`,
        also: { type: LINK_TYPE, schema: createdLink, example: { ...NEW_MANAGED_LINK, reused: true } },
      },
      201: {
        description: `The link was created; the response to \`Accept: ${LINK_TYPE}\``,
        headers: ['Location', 'ETag'],
        types: [LINK_TYPE],
        schema: createdLink,
        example: NEW_MANAGED_LINK,
      },
    },
    codes: [
      ...OF_LINK_VALUES,
      ...ACTING,
      'not_reusable',
      'unknown_domain',
      'invalid_idempotency_key',
      'slug_taken',
      'slug_of_deleted_link',
      'external_id_taken',
      'too_many_tags',
      'path_taken',
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
    summary: 'Create up to 100 short links',
    description: 'Each link is checked separately: `results` has, in the same order, the link or its error.',
    takes: ['apiKey', 'bearer'],
    requestHeaders: REPEATABLE,
    body: {
      types: ['application/json'],
      schema: input('NewLinks', () => newLinksOf(newLinkItem())),
      example: { links: [NEW_LINK, { url: 'ftp://example.com/page', client_id: CLIENT_ID }] },
    },
    headers,
    answers: {
      200: {
        description: 'The result of each link',
        schema: output('BatchResults', () =>
          z.strictObject({
            results: z
              .array(z.discriminatedUnion('outcome', [batchCreated(), batchRefused()]))
              .meta({ description: 'One result for each link, in the order of the request' }),
          }),
        ),
        example: {
          results: [
            { outcome: 'created', status: 201, link: NEW_MANAGED_LINK },
            {
              outcome: 'error',
              status: 400,
              error: 'invalid_url: url cannot have the scheme ftp: use https, or one of geo, mailto, sms, tel.',
              errors: [
                {
                  field: 'url',
                  detail: 'url cannot have the scheme ftp: use https, or one of geo, mailto, sms, tel.',
                },
              ],
            },
          ],
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      'wrong_client',
      'insufficient_scope',
      'idempotency_key_reused',
      'too_many_requests',
      'store_unavailable',
    ],
  },
  {
    method: 'post',
    path: '/shortener/encode',
    operationId: 'encodeUrl',
    tag,
    summary: 'Create a short link; replaced by POST /v1/links',
    description:
      'Deprecated: send the same form to `POST /v1/links`, with an API key from the platform or the api_token of ' +
      '`GET /tokens/create_token` in `X-API-Key`. Tokens issued at or after the cutoff, which is 2027-01-01T00:00:00Z unless ' +
      'the operator has set another time, are refused.',
    deprecated: true,
    takes: ['bearer'],
    requestHeaders: REPEATABLE,
    body: { types: FORM_TYPES, schema: input('EncodeForm', encodeFields), example: NEW_LINK },
    headers: [...headers, 'Deprecation', 'Sunset', 'Link'],
    answers: { 200: created },
    codes: [
      ...OF_LINK_VALUES,
      'unknown_domain',
      'wrong_client',
      'encode_retired',
      'invalid_idempotency_key',
      'idempotency_key_reused',
      'too_many_requests',
      'store_unavailable',
    ],
  },
];
