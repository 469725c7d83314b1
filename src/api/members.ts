import { Hono } from 'hono';
import { changeRole, listMembers, memberChangeFields, removeMember } from '../accounts/members/members.ts';
import type { Member } from '../accounts/members/members.ts';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { memberRemovalQuery } from '../http/account-queries.ts';
import { readQuery } from '../http/query.ts';
import { toInstant } from '../time/instant.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/members`: the members of a client. */
export function membersApi(): Hono<HttpEnv> {
  const members = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: BEARER_CHALLENGE });

  members.get('/v1/members', refusal, async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('members', readQuery(c));
    const { members, cursor } = await listMembers(c.var.db, await actor(query), query.page);
    return c.json({ members: members.map(present), cursor });
  });

  members.patch('/v1/members/:local_id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const { role } = parseFields(memberChangeFields(), await readJson(c.req.raw));
    return c.json(present(await changeRole(c.var.db, await actor(query), c.req.param('local_id'), role)));
  });

  members.delete('/v1/members/:local_id', refusal, async (c) => {
    const actor = readPerson(c);
    const query = parseFields(memberRemovalQuery(), readQuery(c));
    await removeMember(c.var.db, await actor(query), c.req.param('local_id'), query.keys);
    return c.body(null, 204);
  });

  return members;
}

function present(member: Member) {
  return {
    local_id: member.userId,
    name: member.name,
    role: member.role,
    joined_at: toInstant(member.joinedAt),
    disabled_at: toInstant(member.disabledAt),
    suspended_at: toInstant(member.suspendedAt),
  };
}
