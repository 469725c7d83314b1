import { Hono } from 'hono';
import { authorizeFirst } from '../accounts/access.ts';
import { DOMAIN_CHANGE_RULES, parseDomainChange, parseNewDomain } from '../domains/input.ts';
import { getDomainWithAppLinks, listDomains } from '../domains/domains.ts';
import { addHost, changeHost, removeHost, verifyHost } from '../domains/hosts.ts';
import { readActorQuery, readPerson } from '../http/actor.ts';
import { BEARER_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import { domainCircumstances, domainTarget, domainToolsOf } from '../http/domain-tools.ts';
import type { HttpEnv } from '../http/env.ts';
import { refuseRepeat } from '../http/idempotency.ts';
import { readJson } from '../http/json.ts';
import { admitLarge } from '../http/large-body.ts';
import { parseListQuery } from '../http/list.ts';
import { domainRemovalQuery } from '../http/domain-query.ts';
import { readQuery } from '../http/query.ts';
import { lazy } from '../isolate/lazy.ts';
import { parseFields } from '../input/validation.ts';
import { toChecks, toDomainRecord, toWholeDomainRecord } from './domain-record.ts';

/** `/v1/domains`: custom domains, their proof, and where their root and unknown slugs lead. */
export function domainsApi(): Hono<HttpEnv> {
  const domains = new Hono<HttpEnv>();
  domains.use('/v1/domains/*', refuseWith({ challenge: BEARER_CHALLENGE }));

  domains.get('/v1/domains', async (c) => {
    const actor = readPerson(c);
    const query = parseListQuery('domains', readQuery(c));
    const { domains, cursor } = await listDomains(c.var.db, await actor(query), query.page);
    return c.json({ domains: domains.map((each) => toDomainRecord(each, domainCircumstances(c))), cursor });
  });

  domains.post('/v1/domains', async (c) => {
    const actor = readPerson(c);
    refuseRepeat(
      c,
      'a host can be added once, and a repeated request gets domain_taken with the id of the domain. Leave the header out.',
    );
    const query = readActorQuery(c);
    const input = parseNewDomain(await readJson(c.req.raw), c.var.site);
    const { domain, setUp } = await addHost(domainToolsOf(c), await actor(query), input);
    return c.json(toDomainRecord(domain, { ...domainCircumstances(c), setUp }), 201);
  });

  domains.get('/v1/domains/:id', async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const domain = await getDomainWithAppLinks(c.var.db, await actor(query), c.req.param('id'));
    return c.json(toWholeDomainRecord(domain, domainCircumstances(c)));
  });

  domains.patch('/v1/domains/:id', async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    // Once, since each call counts for the limit of writes.
    const acting = lazy(() => actor(query));
    const admit = async () => admitLarge(c, async () => authorizeFirst(c.var.db, await acting(), 'domains:write'));
    const change = parseDomainChange(await readJson(c.req.raw, { ...DOMAIN_CHANGE_RULES, admit }), c.var.site);
    const domain = await changeHost(domainToolsOf(c), await acting(), c.req.param('id'), change);
    return c.json(toWholeDomainRecord(domain, domainCircumstances(c)));
  });

  domains.post('/v1/domains/:id/verify', async (c) => {
    const actor = readPerson(c);
    const query = readActorQuery(c);
    const verifier = await actor(query);
    const { domain, proof, setUp, disabledLinks } = await verifyHost(domainToolsOf(c), verifier, c.req.param('id'));
    const record = toDomainRecord(domain, { target: domainTarget(c), setUp, proof });
    return c.json({ ...record, checks: toChecks(proof), disabled_links: disabledLinks });
  });

  domains.delete('/v1/domains/:id', async (c) => {
    const actor = readPerson(c);
    const { force, ...query } = parseFields(domainRemovalQuery(), readQuery(c));
    const removal = { force: force === 'true' };
    await removeHost(domainToolsOf(c), await actor(query), c.req.param('id'), removal);
    return c.body(null, 204);
  });
  return domains;
}
