import { FAMILY_LIFETIME_SECONDS } from '../accounts/sessions/lifetime.ts';
import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  refreshFamily,
  revokeFamily,
  revokeRefreshToken,
  startFamilyOfApplication,
  startTokenFamily,
  type Issuer,
  type TokenSet,
} from '../accounts/tokens/refresh-tokens.ts';
import { parseApplicationPassword } from '../accounts/application-passwords/application-password.ts';
import { signIn } from '../accounts/sessions/sign-in.ts';
import { refreshFields, revokeFields } from '../accounts/tokens/token-fields.ts';
import { AppError } from '../errors.ts';
import {
  BASIC_CHALLENGE,
  BEARER_CHALLENGE,
  issuerName,
  readBasic,
  readBearer,
  refuseWith,
  verifyFor,
} from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readForm } from '../http/form.ts';
import { limitRate } from '../http/rate-limits.ts';
import { signInGuard } from '../http/sign-in-guard.ts';
import { methodRefused, sameForAll } from '../http/surface.ts';
import { parseFields } from '../input/validation.ts';
import { countryOf } from '../network/country.ts';

/** Token creation, inspection, refresh, revocation, and the public keys that verify tokens. */
export function tokensApi(): Hono<HttpEnv> {
  const tokens = new Hono<HttpEnv>();

  tokens.use('/tokens/create_token', onlyGet);
  tokens.get('/tokens/create_token', refuseWith(CREATION), async (c) => {
    const { name, password } = readBasic(c);
    const { db } = c.var;
    const country = countryOf(c.req.raw);
    const application = parseApplicationPassword(password);
    if (application) {
      await limitRate(c, 'application', application);
      const presented = { name, password: application };
      return c.json(tokenResponse(await startFamilyOfApplication(db, await issuer(c), presented, country)), 201);
    }
    const user = await signIn(db, signInGuard(c), { name, password }, { alone: true });
    // For a remembered password the limits on attempts do not apply, but this limit does.
    await limitRate(c, 'write', { userId: user.id });
    return c.json(tokenResponse(await startTokenFamily(db, await issuer(c), user, country)), 201);
  });

  tokens.get('/tokens/token_info', refuseWith(INSPECTION), async (c) => {
    const claims = await verifyFor(c, 'access', readBearer(c));
    const token = { exp: String(claims.expiresAtSeconds), iat: String(claims.issuedAtSeconds), sub: claims.userId };
    return c.json({ result: 'Token Obtained', token });
  });

  tokens.post('/tokens/refresh_token', refuseWith(CREATION), async (c) => {
    const { refresh_token: token } = parseFields(refreshFields(), await readForm(c.req.raw));
    await limitRate(c, 'token', null);
    return c.json(tokenResponse(await refreshFamily(c.var.db, await issuer(c), token)), 201);
  });

  tokens.post('/tokens/revoke_token', async (c) => {
    const { token } = parseFields(revokeFields(), await readForm(c.req.raw));
    await limitRate(c, 'token', null);
    await revoke(c, token);
    return c.json({ result: 'Token Revoked' });
  });

  tokens.get('/.well-known/jwks.json', sameForAll, async (c) =>
    c.json({ keys: (await c.var.services.keyRing()).published }),
  );
  return tokens;
}

/** The documented failure of token creation, with its exact wording. */
const CREATION = {
  challenge: BASIC_CHALLENGE,
  body: () => ({ access_token: 'NONE', detail: 'Check your credentials', result: 'Authentication Failed' }),
};

/** The documented failure of token info; the published interface spells the field in this way. */
const INSPECTION = {
  challenge: BEARER_CHALLENGE,
  body: (error: AppError) => ({ access_denied: error.message, http_ressponse: 401 }),
};

// Refuses HEAD too, which elsewhere comes with GET: it would create a token that the caller never sees.
const onlyGet = createMiddleware<HttpEnv>(async (c, next) => {
  if (c.req.method !== 'GET') throw methodRefused(c.req.method, ['GET']);
  await next();
});

async function issuer(c: Context<HttpEnv>): Promise<Issuer> {
  const { config, keyRing } = c.var.services;
  return { name: issuerName(c), ring: await keyRing(), lifetimeSeconds: config.accessTokenSeconds };
}

function tokenResponse(tokens: TokenSet) {
  return {
    access_token: tokens.accessToken,
    api_token: tokens.apiToken,
    detail: `The access token and the API token work for ${tokens.lifetimeSeconds} seconds.`,
    local_id: tokens.userId,
    refresh_token: tokens.refreshToken,
    result: 'Token Created',
  };
}

// A text that is not one of our tokens counts as revoked (RFC 7009, section 2.2). An expired token still names its
// family.
async function revoke(c: Context<HttpEnv>, token: string): Promise<void> {
  if (!token.includes('.')) return revokeRefreshToken(c.var.db, token);
  for (const use of ['access', 'api'] as const) {
    const claims = await verifyFor(c, use, token, { expiredSeconds: FAMILY_LIFETIME_SECONDS }).catch(ignoreInvalid);
    if (claims) return revokeFamily(c.var.db, claims);
  }
}

function ignoreInvalid(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_credential') return null;
  throw error;
}
