import { Hono } from 'hono';
import { listAudit, type AuditEntry } from '../accounts/audit/list-audit.ts';
import { readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { parseListQuery } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { toInstant } from '../time/instant.ts';

/** `GET /v1/audit`: the changes of a client's keys, members, invites and domains, and who made them. */
export function auditApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/v1/audit', refuseWith({ challenge: BEARER_CHALLENGE }), async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('audit', readQuery(c));
    const { entries, cursor } = await listAudit(c.var.db, await actor(query), query.page);
    return c.json({ entries: entries.map(present), cursor });
  });
}

function present(entry: AuditEntry) {
  const { id, at, action, subject, details, by, credential } = entry;
  return { id, at: toInstant(at), action, subject, details, by: { local_id: by.userId, name: by.name }, credential };
}
