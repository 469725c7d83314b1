import * as z from 'zod';
import { ROLES } from '../../src/accounts/roles.ts';
import { ALL_PERMISSIONS } from '../../src/accounts/scopes.ts';
import { RATE_LIMITS } from '../../src/http/rate-limits.ts';
import { MAX_BATCH_LINKS } from '../../src/links/input.ts';
import { CLIENT_ID, OWNER_ID } from './examples.ts';
import { instant } from './link-schemas.ts';
import type { Endpoint } from './endpoint.ts';
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
    name: z.string().meta({ description: 'The name of the key' }),
    expires_at: instant('When the key expires; null for never').nullable(),
  }),
);

const client = output('MyClient', () =>
  z.strictObject({
    client_id: z.string().meta({ description: 'Client id of the service customer' }),
    role: z.enum(ROLES).meta({ description: 'The role of the user; for an API key, of the user who created it' }),
    scopes: z
      .array(z.enum(ALL_PERMISSIONS))
      .meta({ description: 'The permissions of the credential for this client; later versions add some' }),
  }),
);

const limits = output('MyLimits', () =>
  z.strictObject({
    creates_per_minute: z
      .int()
      .nullable()
      .meta({ description: 'How many links the credential can create per minute; null if there is no limit' }),
    creates_per_minute_and_address: z.int().nullable().meta({
      description:
        'How many links an IP address can create per minute, with all credentials together; null if there is no limit',
    }),
    links_per_batch: z.int().meta({ description: 'How many links one batch can contain' }),
  }),
);

const me = output('Me', () =>
  z.strictObject({
    kind: z.enum(['api_key', 'access_token', 'api_token']).meta({ description: 'The kind of the credential' }),
    user: user().nullable().meta({ description: 'The user of a token; null for an API key' }),
    key: key().nullable().meta({ description: 'The API key; null for a token' }),
    clients: z.array(client()).meta({ description: 'The clients that the credential has access to, sorted by id' }),
    limits: limits().meta({ description: 'The limits of this credential' }),
  }),
);

export const meEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/me',
    operationId: 'getMe',
    tag: 'Service',
    summary: 'Get the user, clients and limits of a credential',
    description:
      'Accepts any credential, whatever its scopes. If `clients` has one entry, JSON that creates links can leave out `client_id`.',
    takes: ['bearer', 'apiKey'],
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'The credential, with its permissions and limits',
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
