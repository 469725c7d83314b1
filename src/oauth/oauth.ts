import type { Context, Hono } from 'hono';
import {
  exchangeCode,
  refreshGrant,
  revokeGrant,
  type OAuthIssuer,
  type OAuthTokens,
} from '../accounts/oauth/grants.ts';
import { OAuthError } from '../accounts/oauth/oauth-error.ts';
import { registerApplication } from '../accounts/oauth/registration.ts';
import { RESOURCE_PATHS } from '../accounts/oauth/resources.ts';
import { FAMILY_LIFETIME_SECONDS } from '../accounts/sessions/lifetime.ts';
import { AppError } from '../errors.ts';
import { issuerName } from '../http/authenticate.ts';
import type { HttpEnv, Services } from '../http/env.ts';
import { readForm } from '../http/form.ts';
import { readJson } from '../http/json.ts';
import { RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from '../http/paths.ts';
import { limitRate } from '../http/rate-limits.ts';
import { serviceOrigin } from '../http/service-origin.ts';
import { createApi } from '../http/surface.ts';
import { callerAddress } from '../network/address-block.ts';
import type { TokenClaims } from '../tokens/claims.ts';
import { respondToFailure } from './failure.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';

type Fields = Readonly<Record<string, string>>;

/**
 * OAuth 2.1 for programs of others, except the page that asks for consent: metadata, registration, tokens, revocation. No
 * request here is read for a cookie. All programs are public clients, which prove by PKCE that a code is theirs.
 * https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-1
 */
export function createOAuth(services: Services): Hono<HttpEnv> {
  const oauth = createApi(services);

  oauth.get(SERVER_METADATA_PATH, (c) => c.json(serverMetadata(serviceOrigin(c.var.site))));
  // Clients that do not know the path of a resource get that of MCP.
  oauth.get(RESOURCE_METADATA_PATH, (c) => c.json(resourceMetadata(serviceOrigin(c.var.site), '/mcp')));
  for (const path of RESOURCE_PATHS)
    for (const end of ['', '/'])
      oauth.get(`${RESOURCE_METADATA_PATH}${path}${end}`, (c) =>
        c.json(resourceMetadata(serviceOrigin(c.var.site), path)),
      );

  oauth.post('/oauth/register', async (c) => {
    await limitRate(c, 'registration', null);
    const metadata = await readJson(c.req.raw);
    const { id, name, redirectUris, registeredAt } = await registerApplication(
      c.var.db,
      metadata,
      callerAddress(c.req.raw),
    );
    const registered = {
      client_id: id,
      client_id_issued_at: Math.floor(registeredAt / 1000),
      ...(name !== null && { client_name: name }),
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return c.json(registered, 201);
  });

  oauth.post('/oauth/token', async (c) => {
    const fields = await readForm(c.req.raw);
    await limitRate(c, 'token', null);
    const application = required(fields, 'client_id');
    const resource = optional(fields, 'resource');
    const { db } = c.var;
    switch (required(fields, 'grant_type')) {
      case 'authorization_code': {
        const [code, verifier] = [required(fields, 'code'), required(fields, 'code_verifier')];
        const redirectUri = optional(fields, 'redirect_uri');
        const sent = { code, application, verifier, redirectUri, resource };
        return c.json(tokenResponse(await exchangeCode(db, await issuerOf(c), sent)));
      }
      case 'refresh_token': {
        const sent = { refreshToken: required(fields, 'refresh_token'), application, resource };
        return c.json(tokenResponse(await refreshGrant(db, await issuerOf(c), sent)));
      }
      default:
        throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
    }
  });

  oauth.post('/oauth/revoke', async (c) => {
    const fields = await readForm(c.req.raw);
    await limitRate(c, 'token', null);
    const [application, token] = [required(fields, 'client_id'), required(fields, 'token')];
    const named = token.includes('.') ? await claimsOf(c, token) : { refreshToken: token };
    if (named !== null) await revokeGrant(c.var.db, application, named);
    return c.body(null, 200);
  });

  oauth.onError(respondToFailure);
  return oauth;
}

// A parameter without a value counts as left out (RFC 6749, section 3.2).
const optional = (fields: Fields, name: string): string | null => fields[name] || null;

function required(fields: Fields, name: string): string {
  const value = optional(fields, name);
  if (value === null) throw new OAuthError('invalid_request', `${name} is required.`);
  return value;
}

async function issuerOf(c: Context<HttpEnv>): Promise<OAuthIssuer> {
  const { config, keyRing } = c.var.services;
  const origin = serviceOrigin(c.var.site);
  return { name: issuerName(c), origin, ring: await keyRing(), lifetimeSeconds: config.accessTokenSeconds };
}

const tokenResponse = ({ accessToken, refreshToken, lifetimeSeconds, scope }: OAuthTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: lifetimeSeconds,
  refresh_token: refreshToken,
  scope,
});

/** The claims of an access token of OAuth for any resource, also of an expired one; null if it is none. */
async function claimsOf(c: Context<HttpEnv>, token: string): Promise<TokenClaims | null> {
  const { keyRing, verifyOAuthToken } = c.var.services;
  const ring = await keyRing();
  for (const path of RESOURCE_PATHS) {
    const resource = `${serviceOrigin(c.var.site)}${path}`;
    const options = { expiredSeconds: FAMILY_LIFETIME_SECONDS };
    const claims = await verifyOAuthToken(ring, issuerName(c), resource, token, options).catch(ignoreInvalid);
    if (claims) return claims;
  }
  return null;
}

function ignoreInvalid(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_credential') return null;
  throw error;
}
