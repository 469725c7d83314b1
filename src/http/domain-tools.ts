import type { Context } from 'hono';
import { usualSetUp, type SetUp } from '../domains/custom-hostnames.ts';
import type { DomainTools } from '../domains/tools.ts';
import { hostnameOf, ownHostsOf } from '../network/hosts.ts';
import { policyOf } from '../targets/policy.ts';
import type { RequestContext } from './env.ts';
import { limitRate } from './rate-limits.ts';

/** The capabilities of the verbs of domains, for one request. */
export function domainToolsOf(c: RequestContext & Pick<Context, 'executionCtx'>): DomainTools {
  const { memory, appLinkMemory, targetFilter, proofSources, customHostnames } = c.var.services;
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory,
    appLinkMemory,
    targetPolicy: targetFilter && policyOf(targetFilter),
    proofSources,
    customHostnames,
    ownHosts: ownHostsOf(c.var.site),
    limitVerification: (credential) => limitRate(c, 'verification', credential),
    defer: (work) => c.executionCtx.waitUntil(work),
  };
}

/** The facts on which the record of a domain depends besides the domain. */
export function domainCircumstances(c: RequestContext): { readonly target: string; readonly setUp: SetUp } {
  return { target: domainTarget(c), setUp: usualSetUp(c.var.services.customHostnames) };
}

/** The host name that custom domains are aliases of: `DOMAIN_TARGET`, or else the service's own host. */
export function domainTarget(c: RequestContext): string {
  const { requestUrl, publicUrl } = c.var.site;
  return c.var.services.config.domainTarget ?? hostnameOf(publicUrl ?? requestUrl);
}
