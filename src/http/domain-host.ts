import type { Context } from 'hono';
import type { Actor } from '../accounts/access.ts';
import { setUpHost, takeDownHost, type SetUp } from '../domains/custom-hostnames.ts';
import type { Domain, DomainWithAppLinks } from '../domains/domain.ts';
import { hostnameOf, ownHostsOf } from '../hosts.ts';
import type { DomainChange } from '../domains/input.ts';
import { changeDomain } from '../domains/domains.ts';
import { dropDomain } from '../domains/remove.ts';
import { verifyDomain, type Proof } from '../domains/check-proof.ts';
import { forgetHost } from '../links/domain-links-sql.ts';
import { AppError } from '../errors.ts';
import type { TargetPolicy } from '../targets/policy.ts';
import type { RequestContext } from './env.ts';
import { limitRate } from './rate-limits.ts';

/** What every surface does with the host of a domain, besides the changes in the database. */

type ContextWithExecution = RequestContext & Pick<Context, 'executionCtx'>;

/** The host name that custom domains are aliases of: `DOMAIN_TARGET`, or else the service's own host. */
export function domainTarget(c: RequestContext): string {
  const { requestUrl, publicUrl } = c.var.site;
  return c.var.services.config.domainTarget ?? hostnameOf(publicUrl ?? requestUrl);
}

/** How hosts are bound, as far as the settings say. */
export function usualSetUp(c: RequestContext): SetUp {
  return c.var.services.customHostnames ? 'automatic' : 'by_operator';
}

/**
 * Verifies a domain, and has its host bound if this service does not answer there yet. Throws what `verifyDomain`
 * throws, and `too_many_requests`.
 */
export async function verifyHost(
  c: ContextWithExecution,
  actor: Actor,
  id: string,
): Promise<{
  readonly domain: Domain;
  readonly proof: Proof;
  readonly setUp: SetUp;
  readonly disabledLinks: number;
}> {
  await limitRate(c, 'verification', actor.credential);
  const { proofSources, customHostnames } = c.var.services;
  const ownHosts = ownHostsOf(c.var.site);
  const { domain, proof, tookOver, disabledLinks } = await verifyDomain(c.var.db, proofSources, actor, id, ownHosts);
  if (tookOver) forget(c, domain.host);
  forgetAnswers(c, domain.host);
  const setUp = proof.http === 'ok' ? usualSetUp(c) : await setUpHost(customHostnames, domain.host);
  return { domain, proof, setUp, disabledLinks };
}

/**
 * Changes a domain, and forgets what this isolate remembers of its unknown slugs and app links. Throws what
 * `changeDomain` throws.
 */
export async function changeHost(
  c: RequestContext,
  actor: Actor,
  id: string,
  change: DomainChange,
  targetPolicy: TargetPolicy,
): Promise<DomainWithAppLinks> {
  const domain = await changeDomain(c.var.db, actor, id, change, targetPolicy);
  forgetAnswers(c, domain.host);
  return domain;
}

/**
 * Removes a domain, its host's cached links and its binding. Throws what `dropDomain` throws, and `domain_in_use` if
 * there were more links than one request deletes.
 */
export async function removeHost(
  c: ContextWithExecution,
  actor: Actor,
  id: string,
  removal: { readonly force: boolean },
): Promise<void> {
  const { host, isServed, isRemoved } = await dropDomain(c.var.db, actor, id, removal);
  forgetAnswers(c, host);
  if (!isServed) forget(c, host);
  if (!isRemoved) {
    throw new AppError(
      'domain_in_use',
      'The domain has more links than one request can delete. Some of them have been deleted: send the same request again until the domain is removed.',
    );
  }
  if (isServed) return;
  c.executionCtx.waitUntil(takeDownHost(c.var.services.customHostnames, host));
}

// What this isolate remembers of a host besides its links.
function forgetAnswers(c: RequestContext, host: string): void {
  c.var.services.memory.missing.forgetAll(host);
  c.var.services.appLinkMemory.forget(host);
}

function forget(c: ContextWithExecution, host: string): void {
  const tiers = { memory: c.var.services.memory, kv: c.env.LINKS, db: c.var.db };
  c.executionCtx.waitUntil(forgetHost(tiers, host));
}
