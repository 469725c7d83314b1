import { Hono, type Context } from 'hono';
import { setUpHost, takeDownHost, type SetUp } from '../domains/custom-hostnames.ts';
import { hostnameOf } from '../domains/host.ts';
import { parseDomainChange, parseNewDomain } from '../domains/input.ts';
import { addDomain, changeDomain, dropDomain, getDomain, listDomains } from '../domains/manage.ts';
import { verifyDomain } from '../domains/verify.ts';
import { actorQuery, readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { domainRemovalQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import { limitVerifications } from '../http/verify-limit.ts';
import { forgetHost } from '../links/of-domain.ts';
import { logProblem } from '../log.ts';
import { parseFields } from '../validation.ts';
import { toDomainRecord } from './domain-record.ts';

/** `/v1/domains`: custom domains, their proof, and where their root and unknown slugs lead. */
export function domainsApi(): Hono<HttpEnv> {
  const domains = new Hono<HttpEnv>();
  domains.use('/v1/domains/*', refuseWith({ challenge: ANY_CHALLENGE }));

  domains.get('/v1/domains', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const found = await listDomains(c.var.db, await actor(query));
    return c.json({ domains: found.map((each) => toDomainRecord(each, circumstancesOf(c))), cursor: null });
  });

  domains.post('/v1/domains', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const input = parseNewDomain(await readJson(c.req.raw), c.var.site);
    const domain = await addDomain(c.var.db, await actor(query), input);
    const setUp = await setUpHost(c.var.services.customHostnames, domain.host);
    return c.json(toDomainRecord(domain, { ...circumstancesOf(c), setUp }), 201);
  });

  domains.get('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const domain = await getDomain(c.var.db, await actor(query), c.req.param('id'));
    return c.json(toDomainRecord(domain, circumstancesOf(c)));
  });

  domains.patch('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const change = parseDomainChange(await readJson(c.req.raw), c.var.site);
    const domain = await changeDomain(c.var.db, await actor(query), c.req.param('id'), change);
    return c.json(toDomainRecord(domain, circumstancesOf(c)));
  });

  domains.post('/v1/domains/:id/verify', async (c) => {
    const actor = readActor(c);
    const query = parseFields(actorQuery, readQuery(c));
    const verifier = await actor(query);
    await limitVerifications(c, verifier.credential);
    const { proofSources, customHostnames } = c.var.services;
    const { domain, proof, tookOver } = await verifyDomain(c.var.db, proofSources, verifier, c.req.param('id'));
    if (tookOver) forget(c, domain.host);
    const told = circumstancesOf(c);
    const setUp = proof.http === 'ok' ? told.setUp : await setUpHost(customHostnames, domain.host);
    return c.json({ ...toDomainRecord(domain, { ...told, setUp, proof }), checks: proof });
  });

  domains.delete('/v1/domains/:id', async (c) => {
    const actor = readActor(c);
    const { force, ...query } = parseFields(domainRemovalQuery, readQuery(c));
    const removal = { force: force === 'true' };
    const { host, isServed } = await dropDomain(c.var.db, await actor(query), c.req.param('id'), removal);
    if (!isServed) {
      forget(c, host);
      c.executionCtx.waitUntil(takeDownHost(c.var.services.customHostnames, host));
    }
    return c.body(null, 204);
  });
  return domains;
}

function forget(c: Context<HttpEnv>, host: string): void {
  const tiers = { memory: c.var.services.memory, kv: c.env.LINKS };
  c.executionCtx.waitUntil(forgetHost(tiers, host).catch((cause: unknown) => logProblem('host_not_forgotten', cause)));
}

function circumstancesOf(c: Context<HttpEnv>): { readonly target: string; readonly setUp: SetUp } {
  return { target: targetOf(c), setUp: c.var.services.customHostnames ? 'automatic' : 'by_operator' };
}

/** What a custom domain is an alias of: `DOMAIN_TARGET`, or else the service's own host. */
function targetOf(c: Context<HttpEnv>): string {
  const { requestUrl, publicUrl } = c.var.site;
  return c.var.services.config.domainTarget ?? hostnameOf(publicUrl ?? requestUrl);
}
