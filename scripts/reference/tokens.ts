import * as z from 'zod';
import { refreshFields, revokeFields } from '../../src/accounts/tokens/token-fields.ts';
import { OWNER_ID, REFRESH_TOKEN } from './examples.ts';
import { FORM_TYPES, type Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

const tag = 'Tokens';
const JWT = 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiYXQrand0In0.eyJzdWIiOiIzZjZjMWYwZSJ9.c2lnbmF0dXJl';

const tokenResponse = output('TokenResponse', () =>
  z.strictObject({
    access_token: z.string().meta({ description: 'A JWT, for `Authorization: Bearer`' }),
    api_token: z.string().meta({ description: 'A JWT, for `X-API-Key`' }),
    detail: z.string().meta({ description: 'A sentence with the lifetime of both tokens' }),
    local_id: z.uuid().meta({ description: 'The id of the user' }),
    refresh_token: z.string().meta({ description: 'An opaque token for one refresh' }),
    result: z.literal('Token Created').meta({ description: 'Always `Token Created`' }),
  }),
);

const TOKEN_RESPONSE = {
  access_token: JWT,
  api_token: JWT,
  detail: 'The access token and the API token work for 3600 seconds.',
  local_id: OWNER_ID,
  refresh_token: REFRESH_TOKEN,
  result: 'Token Created',
};

const creationFailure = {
  schema: output('TokenCreationFailure', () =>
    z.strictObject({
      access_token: z.literal('NONE').meta({ description: 'Always `NONE`' }),
      detail: z.literal('Check your credentials').meta({ description: 'Always `Check your credentials`' }),
      result: z.literal('Authentication Failed').meta({ description: 'Always `Authentication Failed`' }),
    }),
  ),
  example: { access_token: 'NONE', detail: 'Check your credentials', result: 'Authentication Failed' },
};

const tokenClaims = output('TokenClaims', () =>
  z.strictObject({
    exp: z.string().meta({ description: 'When it expires, in seconds since the epoch' }),
    iat: z.string().meta({ description: 'When it was issued, in seconds since the epoch' }),
    sub: z.string().meta({ description: 'The `local_id` of its user' }),
  }),
);

const tokenInfo = output('TokenInfo', () =>
  z.strictObject({
    result: z.literal('Token Obtained').meta({ description: 'Always `Token Obtained`' }),
    token: tokenClaims().meta({ description: 'The claims of the token' }),
  }),
);

const infoFailure = {
  schema: output('TokenInfoFailure', () =>
    z.strictObject({
      access_denied: z.string().meta({ description: 'What is wrong, and what to send' }),
      http_ressponse: z.literal(401).meta({ description: 'The status of the response' }),
    }),
  ),
  example: { access_denied: 'Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".', http_ressponse: 401 },
};

const publicKey = output('PublicKey', () =>
  z.strictObject({
    kty: z.literal('OKP').meta({ description: 'The type of the key (RFC 8037)' }),
    crv: z.literal('Ed25519').meta({ description: 'The curve of the key' }),
    x: z.string().meta({ description: 'The public key itself, as base64url' }),
    kid: z.string().meta({ description: 'RFC 7638 thumbprint' }),
    alg: z.string().meta({ description: 'The algorithm that the key is for' }),
    use: z.literal('sig').meta({ description: 'The key verifies signatures' }),
  }),
);

const headers = ['X-Request-Id'] as const;

export const tokenEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/tokens/create_token',
    operationId: 'createToken',
    tag,
    summary: 'Get a bearer token',
    description:
      'Signs in with a user name and a password. Use the access token at endpoints that accept Bearer, the api_token ' +
      'at those that accept X-API-Key. An application password, which a user creates on the account page, works in ' +
      'place of the password; its tokens have the permissions of an API key. The password of an account with a second ' +
      'factor is refused here as a wrong one.',
    takes: ['basic'],
    headers,
    answers: { 201: { description: 'The tokens', schema: tokenResponse, example: TOKEN_RESPONSE } },
    codes: ['too_many_requests', 'busy', 'store_unavailable'],
    unauthorized: creationFailure,
  },
  {
    method: 'get',
    path: '/tokens/token_info',
    operationId: 'getTokenInfo',
    tag,
    summary: 'Read the claims of a token',
    description: 'Describes the token in the `Authorization` header.',
    takes: ['bearer'],
    headers,
    answers: {
      200: {
        description: 'The content of the token',
        schema: tokenInfo,
        example: { result: 'Token Obtained', token: { exp: '1795258800', iat: '1795255200', sub: OWNER_ID } },
      },
    },
    codes: [],
    unauthorized: infoFailure,
  },
  {
    method: 'post',
    path: '/tokens/refresh_token',
    operationId: 'refreshToken',
    tag,
    summary: 'Get new tokens for a refresh token',
    description:
      'A refresh token works once. If it is sent again within 30 seconds, while its successor is unused, that counts as a lost ' +
      'response: you get another successor, and the unused one is revoked. Any other reuse revokes all tokens of the sign-in, ' +
      'which expires after 30 days at the latest. Other fields are ignored.',
    takes: ['none'],
    body: {
      types: FORM_TYPES,
      schema: input('TokenRefresh', refreshFields),
      example: { refresh_token: REFRESH_TOKEN },
    },
    headers,
    answers: { 201: { description: 'New tokens', schema: tokenResponse, example: TOKEN_RESPONSE } },
    codes: ['invalid_credential', 'too_many_requests', 'store_unavailable'],
    unauthorized: creationFailure,
  },
  {
    method: 'post',
    path: '/tokens/revoke_token',
    operationId: 'revokeToken',
    tag,
    summary: 'Revoke the tokens of a sign-in',
    description:
      'Revokes all tokens of the sign-in that the token comes from (RFC 7009). Anything that is not a token of this service ' +
      'gets 200 too. Other fields are ignored.',
    takes: ['none'],
    body: {
      types: FORM_TYPES,
      schema: input('TokenRevocation', revokeFields),
      example: { token: REFRESH_TOKEN },
    },
    headers,
    answers: {
      200: {
        description: 'The token is revoked',
        schema: output('TokenRevoked', () =>
          z.strictObject({ result: z.literal('Token Revoked').meta({ description: 'Always `Token Revoked`' }) }),
        ),
        example: { result: 'Token Revoked' },
      },
    },
    codes: ['missing_field', 'too_many_requests', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getPublicKeys',
    tag,
    summary: 'Get the public keys that verify tokens',
    description: 'To verify a token yourself, choose the key with the `kid` of its header.',
    takes: ['none'],
    headers,
    answers: {
      200: {
        description: 'A JWK set (RFC 7517)',
        headers: ['ETag', 'Cache-Control'],
        schema: output('PublicKeys', () =>
          z.strictObject({
            keys: z
              .array(publicKey())
              .meta({ description: 'The keys: the first one signs new tokens, and all verify' }),
          }),
        ),
        example: {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
              alg: 'Ed25519',
              use: 'sig',
            },
          ],
        },
      },
      304: { description: 'The keys are unchanged', headers: ['ETag', 'Cache-Control'] },
    },
    codes: [],
    earlyCodes: ['invalid_host'],
  },
];
