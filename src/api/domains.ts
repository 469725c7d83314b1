import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { setUpHost, takeDownHost, type CustomHostnames } from '../domains/custom-hostnames.ts';
import { hostnameOf } from '../domains/host.ts';
import { parseDomainChange, parseNewDomain } from '../domains/input.ts';
import { addDomain, changeDomain, dropDomain, getDomain, listDomains } from '../domains/manage.ts';
import { verifyDomain, type ProofSources } from '../domains/verify.ts';
import { actorQuery, clientField, readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { readQuery } from '../http/query.ts';
import { limitVerifications } from '../http/verify-limit.ts';
import { forgetHost } from '../links/of-domain.ts';
import type { LinkMemory } from '../links/resolve.ts';
import { logProblem } from '../log.ts';
import { parseFields } from '../validation.ts';
import { toDomainRecord } from './domain-record.ts';

/** What custom domains need of an isolate. */
export interface DomainServices {
  readonly memory: LinkMemory;
  readonly sources: ProofSources;
  /** Null where the operator binds hosts by hand. */
  readonly hostnames: CustomHostnames | null;
}

const removalQuery = z.strictObject({
  ...clientField,
  force: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .meta({ description: 'true removes a domain that has links, and deletes them' }),
});

/** `/v1/domains`: custom domains, their proof, and where their root and unknown slugs lead. */
export function domainsApi({ memory, sources, hostnames }: DomainServices): Hono<HttpEnv> {
  const domains = new Hono<HttpEnv>();
  const setUp = hostnames ? 'automatic' : 'by_operator';
  const forget = (c: Context<HttpEnv>, host: string) =>
    c.executionCtx.waitUntil(
      forgetHost({ memory, kv: c.env.LINKS }, host).catch((cause: unknown) => logProblem('host_not_forgotten', cause)),
    );
  domains.use('/v1/domains/*', refuseWith({ challenge: ANY_CHALLENGE }));

  domains.get('/v1/domains', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const found = await listDomains(c.var.db, await actor(query));
    return c.json({ domains: found.map((each) => toDomainRecord(each, { target: targetOf(c), setUp })), cursor: null });
  });

  domains.post('/v1/domains', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const input = parseNewDomain(await readJson(c.req.raw), c.var.site);
    const domain = await addDomain(c.var.db, await actor(query), input);
    const done = await setUpHost(hostnames, domain.host);
    return c.json(toDomainRecord(domain, { target: targetOf(c), setUp: done }), 201);
  });

  domains.get('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const domain = await getDomain(c.var.db, await actor(query), c.req.param('id'));
    return c.json(toDomainRecord(domain, { target: targetOf(c), setUp }));
  });

  domains.patch('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const change = parseDomainChange(await readJson(c.req.raw), c.var.site);
    const domain = await changeDomain(c.var.db, await actor(query), c.req.param('id'), change);
    return c.json(toDomainRecord(domain, { target: targetOf(c), setUp }));
  });

  domains.post('/v1/domains/:id/verify', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const verifier = await actor(query);
    await limitVerifications(c, verifier.credential);
    const { domain, proof, tookOver } = await verifyDomain(c.var.db, sources, verifier, c.req.param('id'));
    if (tookOver) forget(c, domain.host);
    const done = proof.http === 'ok' ? setUp : await setUpHost(hostnames, domain.host);
    return c.json({ ...toDomainRecord(domain, { target: targetOf(c), setUp: done, proof }), checks: proof });
  });

  domains.delete('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const { force, ...query } = parseFields(removalQuery, readQuery(c));
    const removal = { force: force === 'true' };
    const { host, isServed } = await dropDomain(c.var.db, await actor(query), c.req.param('id'), removal);
    if (!isServed) {
      forget(c, host);
      c.executionCtx.waitUntil(takeDownHost(hostnames, host));
    }
    return c.body(null, 204);
  });
  return domains;
}

/** What a custom domain is an alias of: `DOMAIN_TARGET`, or else the service's own host. */
function targetOf(c: Context<HttpEnv>): string {
  const { requestUrl, publicUrl } = c.var.site;
  return c.var.services.config.domainTarget ?? hostnameOf(publicUrl ?? requestUrl);
}
