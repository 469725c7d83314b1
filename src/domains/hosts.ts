import type { Actor } from '../accounts/access.ts';
import { AppError } from '../errors.ts';
import { forgetHost } from '../links/domain-links-sql.ts';
import { verifyDomain, type Proof } from './check-proof.ts';
import { setUpHost, takeDownHost, usualSetUp, type SetUp } from './custom-hostnames.ts';
import type { Domain, DomainWithAppLinks } from './domain.ts';
import { addDomain, changeDomain } from './domains.ts';
import type { DomainChange, NewDomain } from './input.ts';
import { dropDomain } from './remove.ts';
import type { DomainTools } from './tools.ts';

/** Domains with their hosts: the changes in the database, what this isolate remembers, and how the host is bound. */

/** Adds a domain, and has its host bound. Throws what `addDomain` throws. */
export async function addHost(
  { db, targetPolicy, customHostnames }: DomainTools,
  actor: Actor,
  input: NewDomain,
): Promise<{ readonly domain: Domain; readonly setUp: SetUp }> {
  const domain = await addDomain(db, actor, input, targetPolicy);
  return { domain, setUp: await setUpHost(customHostnames, domain.host) };
}

/**
 * Verifies a domain, and has its host bound if this service does not answer there yet. Throws what `verifyDomain`
 * throws, and `too_many_requests`.
 */
export async function verifyHost(
  tools: DomainTools,
  actor: Actor,
  id: string,
): Promise<{
  readonly domain: Domain;
  readonly proof: Proof;
  readonly setUp: SetUp;
  readonly disabledLinks: number;
}> {
  const { db, proofSources, ownHosts, customHostnames } = tools;
  await tools.limitVerification(actor.credential);
  const { domain, proof, tookOver, disabledLinks } = await verifyDomain(db, proofSources, actor, id, ownHosts);
  if (tookOver) tools.defer(forgetHost(tools, domain.host));
  forgetResponses(tools, domain.host);
  const setUp = proof.http === 'ok' ? usualSetUp(customHostnames) : await setUpHost(customHostnames, domain.host);
  return { domain, proof, setUp, disabledLinks };
}

/** Changes a domain. Throws what `changeDomain` throws. */
export async function changeHost(
  tools: DomainTools,
  actor: Actor,
  id: string,
  change: DomainChange,
): Promise<DomainWithAppLinks> {
  const domain = await changeDomain(tools.db, actor, id, change, tools.targetPolicy);
  forgetResponses(tools, domain.host);
  return domain;
}

/**
 * Removes a domain, its host's cached links and its binding. Throws what `dropDomain` throws, and `domain_in_use` if
 * there were more links than one request deletes.
 */
export async function removeHost(
  tools: DomainTools,
  actor: Actor,
  id: string,
  removal: { readonly force: boolean },
): Promise<void> {
  const { host, isServed, isRemoved } = await dropDomain(tools.db, actor, id, removal);
  forgetResponses(tools, host);
  if (!isServed) tools.defer(forgetHost(tools, host));
  if (!isRemoved) {
    throw new AppError(
      'domain_in_use',
      'The domain has more links than one request can delete. Some of them have been deleted: send the same request again until the domain is removed.',
    );
  }
  if (!isServed) tools.defer(takeDownHost(tools.customHostnames, host));
}

// What this isolate remembers of a host besides its links.
function forgetResponses({ memory, appLinkMemory }: DomainTools, host: string): void {
  memory.missing.forgetAll(host);
  memory.targets.forgetSpellings(host);
  appLinkMemory.forget(host);
}
