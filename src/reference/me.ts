import * as z from 'zod';
import { ROLES } from '../accounts/members.ts';
import { ALL_PERMISSIONS } from '../accounts/scopes.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { MAX_BATCH_LINKS } from '../links/input.ts';
import { CLIENT_ID, OWNER_ID } from './examples.ts';
import { instant } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { output } from './schema.ts';

const user = output('MyUser', () =>
  z.strictObject({
    local_id: z.string().meta({ description: 'The identifier of the user, the `sub` of their tokens' }),
    name: z.string().meta({ description: 'The name that the user signs in with' }),
  }),
);

const key = output('MyKey', () =>
  z.strictObject({
    id: z.string().meta({ description: 'The id of the key, the part of it between `tk_` and the secret' }),
    name: z.string().meta({ description: 'What the key is called in lists' }),
    expires_at: instant('From when on the key is refused; null if it never is').nullable(),
  }),
);

const client = output('MyClient', () =>
  z.strictObject({
    client_id: z.string().meta({ description: 'Client id of the service customer' }),
    role: z.enum(ROLES).meta({ description: 'What the user is there; of an API key, the user who made it' }),
    scopes: z.array(z.enum(ALL_PERMISSIONS)).meta({ description: 'What the credential may do for this client' }),
  }),
);

const limits = output('MyLimits', () =>
  z.strictObject({
    creates_per_minute: z
      .int()
      .nullable()
      .meta({ description: 'How many links the credential makes a minute at most; null where that is not limited' }),
    creates_per_minute_and_address: z
      .int()
      .nullable()
      .meta({ description: 'How many links an address makes a minute at most, with all of its credentials' }),
    links_per_batch: z.int().meta({ description: 'How many links one batch takes' }),
  }),
);

const me = output('Me', () =>
  z.strictObject({
    kind: z.enum(['api_key', 'access_token', 'api_token']).meta({ description: 'What was sent' }),
    user: user().nullable().meta({ description: 'Whose token it is; null for an API key' }),
    key: key().nullable().meta({ description: 'Which API key it is; null for a token' }),
    clients: z.array(client()).meta({ description: 'The clients that it may act for, by their ids' }),
    limits: limits().meta({ description: 'What the service takes of this credential' }),
  }),
);

export const meEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/me',
    operationId: 'getMe',
    tag: 'Service',
    summary: 'Ask who a credential is',
    description:
      'Takes any credential, whatever its scopes. Where `clients` has one entry, JSON that makes links may leave out `client_id`.',
    takes: ['bearer', 'apiKey'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'Who it is, and what it may do',
        schema: me,
        example: {
          kind: 'access_token',
          user: { local_id: OWNER_ID, name: 'ann' },
          key: null,
          clients: [{ client_id: CLIENT_ID, role: 'owner', scopes: ALL_PERMISSIONS }],
          limits: {
            creates_per_minute: RATE_LIMITS.create.credential.most,
            creates_per_minute_and_address: RATE_LIMITS.create.address.most,
            links_per_batch: MAX_BATCH_LINKS,
          },
        },
      },
    },
    codes: ['unknown_field', 'repeated_field', 'store_unavailable'],
  },
];
