import * as z from 'zod';
import { keyChangeFields, newKeyFields } from '../../src/accounts/keys/keys.ts';
import { KEY_SCOPES } from '../../src/accounts/scopes.ts';
import { keyRollQuery } from '../../src/http/account-queries.ts';
import { ACTOR_QUERY, LIST_QUERY, PAGE, PERSON } from './acting.ts';
import { KEY_ID, MANAGED_LINK, NOW } from './examples.ts';
import { instant, linkList } from './link-schemas.ts';
import { listEndpoint, listOf } from './list-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Keys', takes: ['bearer'], headers: ['X-Request-Id'] } as const;

const fields = () => ({
  id: z.string().meta({ description: 'The id of the key, the part of it between `tk_` and the secret' }),
  name: z.string().meta({ description: 'The name of the key' }),
  scopes: z.array(z.enum(KEY_SCOPES)).meta({ description: 'The permissions of the key' }),
  created_at: instant('When the key was created'),
  created_by: z.string().meta({
    description: 'The name of the user who created the key; the key stops working when their account is disabled',
  }),
  expires_at: instant('When the key expires; null for never').nullable(),
  last_used_at: instant(
    'When the key was last used, updated at most once an hour; null before the first use',
  ).nullable(),
  revoked_at: instant('When the key was revoked; null if it was not').nullable(),
  former_secret_ends_at: instant(
    'When the secret from before the last roll expires; null if none still works',
  ).nullable(),
  adopted_at: instant(
    'When the key was transferred from a removed member, who still knows its secret; null if it was not, or has been rolled since',
  ).nullable(),
});
const key = output('Key', () => z.strictObject(fields()));
const keyWithSecret = output('KeyWithSecret', () =>
  z.strictObject({
    ...fields(),
    key: z.string().meta({ description: 'The whole key with its secret, shown only once' }),
  }),
);

const KEY = {
  id: KEY_ID,
  name: 'build server',
  scopes: ['links:read', 'links:write', 'stats:read'],
  created_at: '2026-03-01T12:00:00.000Z',
  created_by: 'ann',
  expires_at: null,
  last_used_at: '2026-11-20T09:00:00.000Z',
  revoked_at: null,
  former_secret_ends_at: null,
  adopted_at: null,
};
const SECRET = `tk_${KEY_ID}_Q2wE4rT6yU8iO0pA1sD3fG5hJ7kL9zX2cV4bN6mQ8wE`;

const pathParameters = { id: { description: 'The id of the key', example: KEY_ID } };

export const keyEndpoints: readonly Endpoint[] = [
  listEndpoint({
    ...common,
    path: '/v1/keys',
    operationId: 'listKeys',
    summary: 'List API keys, newest first',
    description: 'Owners see the keys of all members, others only their own.',
    list: listOf('KeyList', 'keys', key, 'newest first'),
    examples: [KEY],
    who: PERSON,
  }),
  {
    ...common,
    method: 'post',
    path: '/v1/keys',
    operationId: 'createKey',
    summary: 'Create an API key',
    description:
      'The key belongs to one client and to the user who creates it, and stops working when their account is disabled. Its secret is shown only once.',
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('NewKey', newKeyFields),
      example: { name: 'read only', scopes: ['links:read'], expires_at: '2099-12-31T00:00:00Z' },
    },
    answers: {
      201: {
        description: 'The key and its secret',
        schema: keyWithSecret,
        example: {
          ...KEY,
          name: 'read only',
          scopes: ['links:read'],
          created_at: NOW,
          expires_at: '2099-12-31T00:00:00.000Z',
          last_used_at: null,
          key: SECRET,
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      ...PERSON,
      'too_many_keys',

      'store_unavailable',
    ],
  },
  {
    ...common,
    method: 'patch',
    path: '/v1/keys/{id}',
    operationId: 'renameKey',
    summary: 'Rename an API key',
    description: 'The key keeps its id and its secret.',
    pathParameters,
    query: ACTOR_QUERY,
    body: {
      types: ['application/json'],
      schema: input('KeyChange', keyChangeFields),
      example: { name: 'press office' },
    },
    answers: { 200: { description: 'The key', schema: key, example: { ...KEY, name: 'press office' } } },
    codes: [...PERSON, 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/keys/{id}',
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'It stops working at once, and stays in the list.',
    pathParameters,
    query: ACTOR_QUERY,
    answers: { 204: { description: 'It is revoked' } },
    codes: [...PERSON, 'not_found', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/keys/{id}/roll',
    operationId: 'rollKey',
    summary: 'Roll the secret of an API key',
    description:
      'The key gets a new secret and keeps its id. The previous secret works for 24 more hours, or with `former_secret=end` stops working at once, such as one that a removed member knows.',
    pathParameters,
    query: { schema: keyRollQuery(), example: { former_secret: 'keep' } },
    answers: {
      200: {
        description: 'The key and its new secret',
        schema: keyWithSecret,
        example: { ...KEY, former_secret_ends_at: '2026-11-22T10:00:00.000Z', key: SECRET },
      },
    },
    codes: ['invalid_idempotency_key', ...PERSON, 'not_found', 'key_ended', 'store_unavailable'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/keys/{id}/links',
    operationId: 'listKeyLinks',
    summary: 'List the links that were created with a key, newest first',
    description: 'A page examines at most 500 links, so it may be short or empty while `cursor` is not null.',
    pathParameters,
    query: LIST_QUERY,
    answers: {
      200: {
        description: 'A page of links',
        schema: linkList,
        example: { links: [MANAGED_LINK], cursor: null, scanned_to: null },
      },
    },
    codes: [...PERSON, ...PAGE, 'not_found', 'store_unavailable'],
  },
];
