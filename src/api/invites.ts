import { Hono } from 'hono';
import {
  acceptAsNewFields,
  acceptFields,
  acceptInvite,
  acceptInviteAsNew,
  type Joined,
} from '../accounts/invites/accept.ts';
import {
  createInvite,
  inviteMailOf,
  listInvites,
  newInviteFields,
  revokeInvite,
  type Invite,
} from '../accounts/invites/invites.ts';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, readPersonalCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat, SECRET_IS_SHOWN_ONCE } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { mailTokensOf } from '../http/mail-tools.ts';
import { parseListQuery } from '../http/list.ts';
import { noQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { limitRate } from '../http/rate-limits.ts';
import { signInGuard } from '../http/sign-in-guard.ts';
import { allowOnly } from '../http/surface.ts';
import { toInstant } from '../time/instant.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/invites`: one-time links by which people become members of a client. */
export function invitesApi(): Hono<HttpEnv> {
  const invites = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: BEARER_CHALLENGE });

  invites.get('/v1/invites', refusal, async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('invites', readQuery(c));
    const { invites, cursor } = await listInvites(c.var.db, await actor(query), query.page);
    return c.json({ invites: invites.map(present), cursor });
  });

  invites.post('/v1/invites', refusal, async (c) => {
    const actor = readPerson(c);
    refuseRepeat(c, SECRET_IS_SHOWN_ONCE);
    const query = readActorQuery(c);
    const { role, email } = parseFields(newInviteFields(), await readJson(c.req.raw));
    const mail = inviteMailOf(email, mailTokensOf(c));
    const { invite, token, isMailed } = await createInvite(c.var.db, await actor(query), role, mail);
    const { publicUrl, requestUrl } = c.var.site;
    const url = `${(publicUrl ?? requestUrl).origin}/platform/invite/${token}`;
    return c.json({ ...present(invite), url, mailed: isMailed }, 201);
  });

  // A caller with a credential accepts as that user; a caller without one creates an account.
  invites.post('/v1/invites/accept', refusal, async (c) => {
    const isUser = c.req.header('Authorization') !== undefined || c.req.header('X-API-Key') !== undefined;
    const verify = isUser ? readPersonalCredential(c) : null;
    refuseRepeat(c, 'an invite can be accepted only once anyway. Leave the header out.');
    parseFields(noQuery(), readQuery(c));
    const body = await readJson(c.req.raw);
    if (verify) {
      const { token } = parseFields(acceptFields(), body);
      const credential = await verify();
      await limitRate(c, 'write', credential);
      return c.json(presentJoined(await acceptInvite(c.var.db, credential, token)), 201);
    }
    const fields = parseFields(acceptAsNewFields(), body);
    return c.json(presentJoined((await acceptInviteAsNew(c.var.db, signInGuard(c), fields)).joined), 201);
  });
  invites.all('/v1/invites/accept', allowOnly('POST'));

  invites.delete('/v1/invites/:id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    await revokeInvite(c.var.db, await actor(query), c.req.param('id'));
    return c.body(null, 204);
  });

  return invites;
}

function present(invite: Invite) {
  return {
    id: invite.id,
    role: invite.role,
    created_at: toInstant(invite.createdAt),
    created_by: invite.createdBy,
    expires_at: toInstant(invite.expiresAt),
  };
}

function presentJoined(joined: Joined) {
  return {
    client_id: joined.clientId,
    local_id: joined.userId,
    name: joined.name,
    role: joined.role,
    joined_at: toInstant(joined.joinedAt),
  };
}
