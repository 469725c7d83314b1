import { Hono } from 'hono';
import { kindOf } from '../accounts/audit/write-audit.ts';
import type { Credential } from '../accounts/grants.ts';
import { getMe } from '../accounts/users/me.ts';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { noQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { toInstant } from '../time/instant.ts';
import { RATE_LIMITS } from '../http/rate-limits.ts';
import { MAX_BATCH_LINKS } from '../links/input.ts';
import { parseFields } from '../input/validation.ts';

/** The kind of a credential, as it is published: a token of OAuth is an access token too. */
function nameOfKind(credential: Credential): string {
  const kind = kindOf(credential);
  return kind === 'oauth' ? 'access_token' : kind;
}

/** `GET /v1/me`: the owner of the credential, and its permissions. */
export function meApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/v1/me', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const verify = readAnyCredential(c);
    parseFields(noQuery(), readQuery(c));
    const credential = await verify();
    const { user, key, clients } = await getMe(c.var.db, credential);
    const { createLimiting } = c.var.services.config;
    return c.json({
      kind: nameOfKind(credential),
      user: user && { local_id: user.id, name: user.name },
      key: key && { id: key.id, name: key.name, expires_at: toInstant(key.expiresAt) },
      clients: clients.map(({ id, role, scopes }) => ({ client_id: id, role, scopes })),
      limits: {
        creates_per_minute: createLimiting ? RATE_LIMITS.create.credential.most : null,
        creates_per_minute_and_address: createLimiting ? RATE_LIMITS.create.address.most : null,
        links_per_batch: MAX_BATCH_LINKS,
      },
    });
  });
}
